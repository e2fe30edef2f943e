import { addressText } from './common/ip-address.js';
import type { CidrRange, FilterChain } from './filter-chain.js';
import { matchText } from './filter-chain.js';
import type { Validation } from './validation.js';

const RAW_BUFFER = 'raw_buffer';

/** C-core stores ports in 16 bits. */
const PORTS = 65_536;

/** The chains for connections to one destination address range, keyed by source type, source range and source port. */
interface Destination {
  hasRawBuffer: boolean;
  chains: Map<string, FilterChain>;
}

/**
 * Returns the chains, of those by index, that can match a connection. Reports an error for two chains that match the same connections.
 * `inElement` locates the ignored chains.
 */
export function usableChains(
  chains: ReadonlyMap<number, FilterChain>,
  validation: Validation,
  inElement: (index: number, note: () => void) => void,
): FilterChain[] {
  const destinations = new Map<string, Destination>();
  for (const chain of chains.values()) addChain(chain, destinations, validation);
  const used = new Set([...destinations.values()].flatMap((destination) => [...destination.chains.values()]));
  for (const [i, chain] of chains) {
    if (used.has(chain)) continue;
    const reason = unsupportedMatch(chain) ?? superseded(chain, destinations);
    if (reason === undefined) continue;
    inElement(i, () => validation.ignore('filter chain', `${reason}: gRPC drops the chain`));
  }
  return [...used];
}

function unsupportedMatch({ match }: FilterChain): string | undefined {
  if (match.destinationPort !== 0) return 'gRPC does not match destination_port';
  if (match.serverNames.length > 0) return 'gRPC does not match server_names';
  if (match.transportProtocol !== '' && match.transportProtocol !== RAW_BUFFER) {
    return `gRPC does not match transport_protocol "${match.transportProtocol}"`;
  }
  return match.applicationProtocols.length > 0 ? 'gRPC does not match application_protocols' : undefined;
}

function superseded({ match }: FilterChain, destinations: ReadonlyMap<string, Destination>): string | undefined {
  const isSuperseded =
    match.transportProtocol === '' && rangeKeys(match.prefixRanges).every((key) => destinations.get(key)?.hasRawBuffer);
  return isSuperseded ? 'a chain with transport_protocol "raw_buffer" takes precedence' : undefined;
}

function addChain(chain: FilterChain, destinations: Map<string, Destination>, validation: Validation): void {
  const { match } = chain;
  const isRaw = match.transportProtocol === RAW_BUFFER;
  // C-core drops these chains first. It checks application_protocols only after it has recorded a raw_buffer chain.
  if (match.destinationPort !== 0 || match.serverNames.length > 0 || (match.transportProtocol !== '' && !isRaw)) return;
  for (const key of rangeKeys(match.prefixRanges)) {
    const destination = destinations.get(key) ?? { hasRawBuffer: false, chains: new Map() };
    destinations.set(key, destination);
    // C-core prefers raw_buffer chains: the first one removes all other chains for the same addresses.
    if (destination.hasRawBuffer && !isRaw) continue;
    if (isRaw && !destination.hasRawBuffer) destination.chains.clear();
    destination.hasRawBuffer ||= isRaw;
    if (match.applicationProtocols.length === 0) addSources(chain, destination, validation);
  }
}

function addSources(chain: FilterChain, { chains }: Destination, validation: Validation): void {
  const { sourceType, sourcePrefixRanges, sourcePorts } = chain.match;
  for (const range of rangeKeys(sourcePrefixRanges)) {
    for (const port of sourcePorts.length === 0 ? [0] : sourcePorts) {
      const key = `${sourceType} ${range} ${port % PORTS}`;
      if (!chains.has(key)) chains.set(key, chain);
      else validation.addError(`duplicate matching rules detected when adding filter chain: ${matchText(chain.match)}`);
    }
  }
}

function rangeKeys(ranges: readonly CidrRange[]): string[] {
  return ranges.length === 0 ? [''] : ranges.map(({ address, length }) => `${addressText(address)}/${length}`);
}
