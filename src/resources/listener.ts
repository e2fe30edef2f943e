import { type Address, SocketAddressProtocol } from '../proto/generated/envoy.config.core.v3.js';
import type { Listener } from '../proto/generated/envoy.config.listener.v3.js';
import { withExtension } from './common/extension.js';
import { joinHostPort } from './common/ip-address.js';
import type { ResourceContext } from './context.js';
import { type FilterChain, readFilterChain } from './filter-chain.js';
import { usableChains } from './filter-chain-map.js';
import { type ConnectionManager, readConnectionManager } from './http-connection-manager.js';
import { Judgement } from './judgement.js';
import type { Verdict } from './verdict.js';

/** A listener as gRPC uses it: of a client, or of a server (A36). */
export type ListenerResource =
  | { kind: 'client'; connectionManager: ConnectionManager | undefined }
  | {
      kind: 'server';
      address: string;
      filterChains: FilterChain[];
      defaultFilterChain: FilterChain | undefined;
    };

const NEITHER = 'Listener has neither address nor ApiListener';

/** Judges a Listener as C-core does. */
export function judgeListener(message: Listener, context: ResourceContext): Verdict<ListenerResource> {
  const j = new Judgement(context);
  const { name } = message;
  if (message.apiListener !== undefined) {
    return j.verdict(name, 'errors validating ApiListener', readClientListener(message, j));
  }
  if (message.address === undefined) {
    const problems = [{ path: '', steps: [], reason: NEITHER }];
    return { ok: false, name, message: NEITHER, problems, ignored: [], remarks: [] };
  }
  return j.verdict(name, 'errors validating server Listener', readServerListener(message, j));
}

/** Whatever the message says about a server is not looked at. */
function readClientListener(message: Listener, j: Judgement): ListenerResource {
  const ignored: [string, boolean][] = [
    ['address', message.address !== undefined],
    ['filter_chains', message.filterChains.length > 0],
    ['default_filter_chain', message.defaultFilterChain !== undefined],
  ];
  for (const [field, isSet] of ignored) {
    if (isSet)
      j.field(field, () => j.ignore('field', `gRPC does not look at ${field} of a listener with api_listener`));
  }
  const any = message.apiListener?.apiListener;
  const connectionManager = j.segment('.api_listener.api_listener', ['api_listener', 'api_listener'], () =>
    withExtension(any, j, (extension) => readConnectionManager(extension, 'client', j)),
  );
  return { kind: 'client', connectionManager };
}

function readServerListener(message: Listener, j: Judgement): ListenerResource {
  const address = j.field('address', () => readBindAddress(message.address, j));
  if (message.useOriginalDst === true) j.refuseField('use_original_dst', 'field not supported');
  if (message.listenerFilters.length > 0) {
    j.field('listener_filters', () =>
      j.remark('deviation', 'A36 asks to refuse a server listener with listener_filters'),
    );
  }
  const filterChains = j.field('filter_chains', () => {
    const chains = message.filterChains.map((chain, i) => j.errors.element(i, () => readFilterChain(chain, j)));
    return usableChains(chains, j, (i, note) => j.errors.element(i, note));
  });
  const { defaultFilterChain: fallback } = message;
  const defaultFilterChain = j.field('default_filter_chain', () => {
    if (fallback !== undefined) return readFilterChain(fallback, j);
    return message.filterChains.length === 0 ? j.refuse('must be set if filter_chains is unset') : undefined;
  });
  return { kind: 'server', address: address ?? '', filterChains, defaultFilterChain };
}

/** The host need not be an IP address. */
function readBindAddress(address: Address | undefined, j: Judgement): string | undefined {
  return j.field('socket_address', () => {
    if (address?.address?.kind !== 'socketAddress') return j.refuse('field not present');
    const { protocol, address: host, portSpecifier } = address.address.value;
    if (protocol !== SocketAddressProtocol.TCP) j.refuseField('protocol', 'value must be TCP');
    const port = portSpecifier?.kind === 'portValue' ? portSpecifier.value : 0;
    return port > 65_535 ? j.refuseField('port_value', 'invalid port') : joinHostPort(host, port);
  });
}
