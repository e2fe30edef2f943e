import type { CidrRange as CidrRangeMessage } from '../proto/generated/envoy.config.core.v3.js';
import {
  FilterChainMatchConnectionSourceType,
  type FilterChainMatch as FilterChainMatchMessage,
  type FilterChain as FilterChainMessage,
} from '../proto/generated/envoy.config.listener.v3.js';
import type { Repeated } from '../proto/wire/message-list.js';
import { withExtension } from './common/extension.js';
import { addressText, type IpAddress, joinHostPort, maskAddress, parseIpAddress } from './common/ip-address.js';
import { type DownstreamTls, readDownstreamTls } from './downstream-tls.js';
import { type ConnectionManager, readConnectionManager } from './http-connection-manager.js';
import type { Validation } from './validation.js';

/** A filter chain of a server listener (A36). */
export interface FilterChain {
  match: FilterChainMatch;
  connectionManager: ConnectionManager | undefined;
  tls: DownstreamTls | undefined;
}

export interface FilterChainMatch {
  destinationPort: number;
  prefixRanges: CidrRange[];
  sourceType: number;
  sourcePrefixRanges: CidrRange[];
  sourcePorts: readonly number[];
  serverNames: readonly string[];
  transportProtocol: string;
  applicationProtocols: readonly string[];
}

export interface CidrRange {
  address: IpAddress;
  length: number;
}

const ANY_MATCH: FilterChainMatch = {
  destinationPort: 0,
  prefixRanges: [],
  sourceType: FilterChainMatchConnectionSourceType.ANY,
  sourcePrefixRanges: [],
  sourcePorts: [],
  serverNames: [],
  transportProtocol: '',
  applicationProtocols: [],
};

/** Reads a filter chain. Returns `undefined` for a chain with errors, which is not checked for duplicates. */
export function readFilterChain(message: FilterChainMessage, validation: Validation): FilterChain | undefined {
  const before = validation.errors.size;
  const { filterChainMatch, filters, transportSocket } = message;
  const match =
    filterChainMatch && validation.field('filter_chain_match', () => readMatch(filterChainMatch, validation));
  const connectionManager = validation.field('filters', () => {
    if (filters.length !== 1) {
      validation.addError(
        'must have exactly one filter (HttpConnectionManager -- no other filter is supported at the moment)',
      );
    }
    let last: ConnectionManager | undefined;
    for (const [i, { configType }] of filters.entries()) {
      last = validation.segment(`[${i}].typed_config`, [i, 'typed_config'], () =>
        withExtension(configType?.kind === 'typedConfig' ? configType.value : undefined, validation, (extension) =>
          readConnectionManager(extension, 'server', validation),
        ),
      );
    }
    return last;
  });
  const tls =
    transportSocket && validation.field('transport_socket', () => readDownstreamTls(transportSocket, validation));
  if (validation.errors.size > before) return undefined;
  return { match: match ?? ANY_MATCH, connectionManager, tls };
}

function readMatch(message: FilterChainMatchMessage, validation: Validation): FilterChainMatch {
  const ranges = (name: string, list: Repeated<CidrRangeMessage>): CidrRange[] =>
    validation.items(name, list, (range) => readRange(range, validation));
  const { sourceType } = message;
  if (sourceType < 0 || sourceType > FilterChainMatchConnectionSourceType.EXTERNAL) {
    validation.addFieldError('source_type', 'invalid value');
  }
  return {
    destinationPort: message.destinationPort ?? 0,
    prefixRanges: ranges('prefix_ranges', message.prefixRanges),
    sourceType,
    sourcePrefixRanges: ranges('source_prefix_ranges', message.sourcePrefixRanges),
    sourcePorts: message.sourcePorts,
    serverNames: message.serverNames,
    transportProtocol: message.transportProtocol,
    applicationProtocols: message.applicationProtocols,
  };
}

/** Clears the bits beyond the prefix and limits the prefix length to that of the address. */
function readRange({ addressPrefix, prefixLen = 0 }: CidrRangeMessage, validation: Validation): CidrRange | undefined {
  const joined = joinHostPort(addressPrefix, 0);
  const address = parseIpAddress(joined, validation.context.interfaces);
  if (address === undefined) return validation.addFieldError('address_prefix', `Failed to parse address:${joined}`);
  const length = Math.min(prefixLen, address.family === 4 ? 32 : 128);
  return { address: maskAddress(address, length), length };
}

const SOURCE_TYPES: Record<number, string | undefined> = {
  [FilterChainMatchConnectionSourceType.SAME_IP_OR_LOOPBACK]: 'SAME_IP_OR_LOOPBACK',
  [FilterChainMatchConnectionSourceType.EXTERNAL]: 'EXTERNAL',
};

/** Prints a match as C-core does: only the fields that are set. */
export function matchText(match: FilterChainMatch): string {
  const ranges = (list: CidrRange[]): string =>
    list.map(({ address, length }) => `{address_prefix=${addressText(address)}, prefix_len=${length}}`).join(', ');
  const parts: string[] = [];
  const list = (name: string, text: string): void => {
    if (text !== '') parts.push(`${name}={${text}}`);
  };
  if (match.destinationPort !== 0) parts.push(`destination_port=${match.destinationPort}`);
  list('prefix_ranges', ranges(match.prefixRanges));
  const sourceType = SOURCE_TYPES[match.sourceType];
  if (sourceType !== undefined) parts.push(`source_type=${sourceType}`);
  list('source_prefix_ranges', ranges(match.sourcePrefixRanges));
  list('source_ports', match.sourcePorts.join(', '));
  list('server_names', match.serverNames.join(', '));
  if (match.transportProtocol !== '') parts.push(`transport_protocol=${match.transportProtocol}`);
  list('application_protocols', match.applicationProtocols.join(', '));
  return `{${parts.join(', ')}}`;
}
