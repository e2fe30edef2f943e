import { type Address, SocketAddressProtocol } from '../proto/generated/envoy.config.core.v3.js';
import type { Listener } from '../proto/generated/envoy.config.listener.v3.js';
import { withExtension } from './common/extension.js';
import { joinHostPort } from './common/ip-address.js';
import type { ResourceContext } from './context.js';
import { type FilterChain, readFilterChain } from './filter-chain.js';
import { usableChains } from './filter-chain-map.js';
import { type ConnectionManager, readConnectionManager } from './http-connection-manager.js';
import { Validation } from './validation.js';
import type { ValidationResult } from './validation-result.js';

/** A listener as gRPC uses it, for a client or for a server (A36). */
export type ListenerResource =
  | { kind: 'client'; connectionManager: ConnectionManager | undefined }
  | {
      kind: 'server';
      address: string;
      filterChains: FilterChain[];
      defaultFilterChain: FilterChain | undefined;
    };

const NEITHER = 'Listener has neither address nor ApiListener';

/** Validates a Listener as C-core does. */
export function validateListener(message: Listener, context: ResourceContext): ValidationResult<ListenerResource> {
  const validation = new Validation(context);
  const { name } = message;
  if (message.apiListener !== undefined) {
    return validation.result(name, 'errors validating ApiListener', readClientListener(message, validation));
  }
  if (message.address === undefined) {
    const problems = [{ path: '', steps: [], reason: NEITHER }];
    const despiteProblems = context.keepsInvalidParts && { despiteProblems: readServerListener(message, validation) };
    return { ok: false, name, message: NEITHER, problems, ...despiteProblems, ignored: [], remarks: [] };
  }
  return validation.result(name, 'errors validating server Listener', readServerListener(message, validation));
}

/** gRPC ignores the fields for servers in a listener with api_listener. */
function readClientListener(message: Listener, validation: Validation): ListenerResource {
  const ignored: [string, boolean][] = [
    ['address', message.address !== undefined],
    ['filter_chains', message.filterChains.length > 0],
    ['default_filter_chain', message.defaultFilterChain !== undefined],
  ];
  for (const [field, isSet] of ignored) {
    if (isSet)
      validation.field(field, () =>
        validation.ignore('field', `gRPC ignores ${field} of a listener with api_listener`),
      );
  }
  const any = message.apiListener?.apiListener;
  const connectionManager = validation.segment('.api_listener.api_listener', ['api_listener', 'api_listener'], () =>
    withExtension(any, validation, (extension) => readConnectionManager(extension, 'client', validation)),
  );
  return { kind: 'client', connectionManager };
}

function readServerListener(message: Listener, validation: Validation): ListenerResource {
  const address = validation.field('address', () => readBindAddress(message.address, validation));
  if (message.useOriginalDst === true) validation.addFieldError('use_original_dst', 'field not supported');
  if (message.listenerFilters.length > 0) {
    validation.field('listener_filters', () =>
      validation.remark('deviation', 'A36 requires gRPC to reject a server listener with listener_filters'),
    );
  }
  const filterChains = validation.field('filter_chains', () => {
    const chains = new Map<number, FilterChain>();
    for (const [i, chain] of message.filterChains.entries()) {
      if (!validation.hasRoom()) break;
      const read = validation.errors.element(i, () => readFilterChain(chain, validation));
      if (read !== undefined) chains.set(i, read);
    }
    return usableChains(chains, validation, (i, note) => validation.errors.element(i, note));
  });
  const { defaultFilterChain: defaultChain } = message;
  const defaultFilterChain = validation.field('default_filter_chain', () => {
    if (defaultChain !== undefined) return readFilterChain(defaultChain, validation);
    return message.filterChains.length === 0 ? validation.addError('must be set if filter_chains is unset') : undefined;
  });
  return { kind: 'server', address: address ?? '', filterChains, defaultFilterChain };
}

/** The host need not be an IP address. */
function readBindAddress(address: Address | undefined, validation: Validation): string | undefined {
  return validation.field('socket_address', () => {
    if (address?.address?.kind !== 'socketAddress') return validation.addError('field not present');
    const { protocol, address: host, portSpecifier } = address.address.value;
    if (protocol !== SocketAddressProtocol.TCP) validation.addFieldError('protocol', 'value must be TCP');
    const port = portSpecifier?.kind === 'portValue' ? portSpecifier.value : 0;
    return port > 65_535 ? validation.addFieldError('port_value', 'invalid port') : joinHostPort(host, port);
  });
}
