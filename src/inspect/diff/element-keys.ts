import { type ElementKey, type ElementLabel, fieldOf, type Identify, isObject, textOf } from './rule.js';

/** The keys and labels of a list; see ListRule. */
interface Keyed {
  keys: readonly ElementKey[];
  labels: readonly ElementLabel[];
}

const nameOf = (element: unknown): string | undefined => textOf(element, 'name');

/** Virtual hosts, weighted clusters and filters. */
export const BY_NAME: Keyed = { keys: [nameOf], labels: [nameOf] };

/** Domains: texts identify themselves. */
export const BY_TEXT: Keyed = { keys: [ownText], labels: [ownText] };

/**
 * A locality may occur once per priority, so the priority is part of the key. If only the priority differs, it is the
 * same locality with a changed priority.
 */
export const BY_LOCALITY: Keyed = {
  keys: [(element) => JSON.stringify([localityKey(element), priorityOf(element)]), localityKey],
  labels: [localityLabel, (element) => `${localityLabel(element)} priority ${priorityOf(element)}`],
};

export const BY_ADDRESS: Keyed = {
  keys: [(element, identify) => endpointLabel(element) ?? otherAddress(element, identify)],
  labels: [endpointLabel],
};

/** A filter chain with another name but the same match is the same chain: it receives the same connections. */
export const BY_NAME_OR_MATCH: Keyed = {
  keys: [
    (element, identify) => {
      const name = nameOf(element);
      return name === undefined ? undefined : JSON.stringify([name, matchKey(element, 'filter_chain_match', identify)]);
    },
    nameOf,
    (element, identify) => matchKey(element, 'filter_chain_match', identify),
  ],
  labels: [nameOf],
};

/** Routes have no identity, but a changed route mostly keeps its name and its match, or one of them. */
export const ROUTE_KEYS: Keyed = {
  keys: [
    (element, identify) => JSON.stringify([nameOf(element), matchKey(element, 'match', identify)]),
    (element, identify) => matchKey(element, 'match', identify),
    nameOf,
  ],
  labels: [],
};

function ownText(element: unknown): string | undefined {
  return typeof element === 'string' ? element : undefined;
}

function matchKey(element: unknown, field: string, identify: Identify): string | undefined {
  return isObject(element) ? String(identify(fieldOf(element, field))) : undefined;
}

function localityParts(element: unknown): string[] {
  const locality = fieldOf(element, 'locality');
  return ['region', 'zone', 'sub_zone'].map((part) => textOf(locality, part) ?? '');
}

function localityKey(element: unknown): string | undefined {
  return isObject(element) ? JSON.stringify(localityParts(element)) : undefined;
}

function localityLabel(element: unknown): string | undefined {
  if (!isObject(element)) return undefined;
  const text = localityParts(element).join('/').replace(/\/+$/, '');
  return text === '' ? 'no locality' : text;
}

function priorityOf(element: unknown): string {
  return String(fieldOf(element, 'priority') ?? 0);
}

/** `10.0.0.1:80`, `[::1]:80`, the path of a pipe, or the name of a named endpoint. */
function endpointLabel(element: unknown): string | undefined {
  const address = fieldOf(fieldOf(element, 'endpoint'), 'address');
  const socket = fieldOf(address, 'socket_address');
  const host = textOf(socket, 'address');
  if (host !== undefined) {
    const port = fieldOf(socket, 'port_value') ?? textOf(socket, 'named_port') ?? 0;
    const udp = textOf(socket, 'protocol') === 'UDP' ? 'udp ' : '';
    return `${udp}${host.includes(':') ? `[${host}]` : host}:${isObject(port) ? '?' : String(port)}`;
  }
  return textOf(fieldOf(address, 'pipe'), 'path') ?? textOf(element, 'endpoint_name');
}

function otherAddress(element: unknown, identify: Identify): string | undefined {
  const address = fieldOf(fieldOf(element, 'endpoint'), 'address');
  return address === undefined ? undefined : `address ${identify(address)}`;
}
