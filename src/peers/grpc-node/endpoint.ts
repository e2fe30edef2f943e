import { getOrAdd } from '../../base/get-or-add.js';
import { isUsable } from './endpoint-model.js';
import type { NodeContext } from './environment.js';
import { isNodeIp } from './ip-address.js';
import { ProblemList } from './problem-list.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';

const MAX_UINT32 = 0xffffffff;

/** Validates a ClusterLoadAssignment as grpc-js-xds does. */
export function validateEndpoints(message: ProtobufJsMessage, context: NodeContext): ProblemList {
  const problems = new ProblemList();
  const localities = new Counter();
  const addresses = new Counter();
  const weights = new Map<number, number>();
  for (const [index, group] of message.messages('endpoints').entries()) {
    const locality = group.message('locality');
    const prefix = `endpoints[${index}]`;
    if (locality === undefined) {
      problems.add(`${prefix}.locality unset`, 'endpoints', index);
      continue;
    }
    const priority = group.number('priority');
    const names = ['region', 'zone', 'sub_zone'].map((name) => locality.text(name));
    for (let count = localities.add(JSON.stringify([priority, ...names])); count > 0; count--) {
      const text = `${prefix}.locality is a duplicate of another locality in the endpoint`;
      problems.add(text, 'endpoints', index, 'locality');
    }
    for (const [i, endpoint] of group.messages('lb_endpoints').entries()) {
      if (isPlain(endpoint, addresses)) continue;
      problems.addAll(
        endpointProblems(endpoint, addresses, context),
        `${prefix}.lb_endpoints[${i}].endpoint`,
        ...['endpoints', index, 'lb_endpoints', i, 'endpoint'],
      );
    }
    noteIgnored(group, index, problems);
    const weight = group.message('load_balancing_weight')?.number('value') ?? 0;
    weights.set(priority, (weights.get(priority) ?? 0) + weight);
  }
  for (const [priority, weight] of weights) {
    if (weight > MAX_UINT32) problems.add(`priority ${priority} has total weight greater than UINT32_MAX: ${weight}`);
    if (priority > 0 && !weights.has(priority - 1))
      problems.add(`Endpoints have priority ${priority} but not ${priority - 1}`);
  }
  return problems;
}

/** Notes the parts that get no load. */
function noteIgnored(group: ProtobufJsMessage, index: number, problems: ProblemList): void {
  if (!group.has('load_balancing_weight')) {
    problems.ignore('locality', 'grpc-js-xds skips a locality without load_balancing_weight', 'endpoints', index);
    return;
  }
  for (const [i, endpoint] of group.messages('lb_endpoints').entries()) {
    if (isUsable(endpoint)) continue;
    const reason = `health_status ${endpoint.enumName('health_status')}: grpc-js-xds skips the endpoint`;
    problems.ignore('endpoint', reason, 'endpoints', index, 'lb_endpoints', i);
  }
}
/** Whether an endpoint has one valid address that is not a duplicate. Then no texts are needed, as for most endpoints. */
function isPlain(lbEndpoint: ProtobufJsMessage, seen: Counter): boolean {
  const endpoint = lbEndpoint.message('endpoint');
  const address = endpoint?.message('address')?.message('socket_address');
  if (address === undefined || endpoint?.has('additional_addresses')) return false;
  const isValid = address.chosen('port_value') === 'port_value' && isNodeIp(address.text('address'));
  return isValid && seen.addNew(addressKey(address));
}

function endpointProblems(lbEndpoint: ProtobufJsMessage, seen: Counter, { switches }: NodeContext): ProblemList {
  const problems = new ProblemList();
  const endpoint = lbEndpoint.message('endpoint');
  const address = endpoint?.message('address')?.message('socket_address');
  if (address === undefined) problems.add('.socket_address not set');
  else problems.addAll(addressProblems(address, seen), ': ', 'address', 'socket_address');
  if (!switches.dualstackEndpoints) return problems;
  for (const [i, additional] of (endpoint?.messages('additional_addresses') ?? []).entries()) {
    const prefix = `.additional_addresses[${i}].address.socket_address`;
    const steps = ['additional_addresses', i, 'address', 'socket_address'];
    const more = additional.message('address')?.message('socket_address');
    if (more === undefined) problems.add(`${prefix} unset`, ...steps);
    else problems.addAll(addressProblems(more, seen), `${prefix}: `, ...steps);
  }
  return problems;
}

function addressProblems(address: ProtobufJsMessage, seen: Counter): ProblemList {
  const problems = new ProblemList();
  const specifier = address.chosen('port_value');
  const ip = address.text('address');
  if (specifier !== 'port_value') problems.add(`Unsupported port_specifier: ${specifier}`);
  if (!isNodeIp(ip)) problems.add(`address is not a valid IPv4 or IPv6 address: ${ip}`, 'address');
  for (let count = seen.add(addressKey(address)); count > 0; count--)
    problems.add(`address is a duplicate of another address in the same endpoint: ${ip}`, 'address');
  return problems;
}

function addressKey(address: ProtobufJsMessage): string {
  return `${address.has('port_value') ? address.number('port_value') : ''} ${address.text('address')}`;
}

/** Counts equal keys. */
class Counter {
  readonly #counts = new Map<string, number>();

  /** Adds a key unless it was added before. */
  addNew(key: string): boolean {
    if (this.#counts.has(key)) return false;
    this.#counts.set(key, 1);
    return true;
  }

  /** Adds a key and returns how often it was added before. */
  add(key: string): number {
    const before = getOrAdd(this.#counts, key, () => 0);
    this.#counts.set(key, before + 1);
    return before;
  }
}
