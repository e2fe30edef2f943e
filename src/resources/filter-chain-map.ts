import { addressText } from './common/ip-address.js';
import type { CidrRange, FilterChain } from './filter-chain.js';
import { matchText } from './filter-chain.js';
import type { Validation } from './validation.js';

const RAW_BUFFER = 'raw_buffer';

/** C-core keeps ports in 16 bits. */
const PORTS = 65_536;

/** All chains for connections to one range of addresses, by source type, source range and source port. */
interface Destination {
  hasRawBuffer: boolean;
  chains: Map<string, FilterChain>;
}

/** The chains that can match at all. Two for the same connections are an error; `at` places what is passed over. */
export function usableChains(
  chains: readonly (FilterChain | undefined)[],
  validation: Validation,
  at: (index: number, note: () => void) => void,
): FilterChain[] {
  const destinations = new Map<string, Destination>();
  for (const chain of chains) {
    if (chain !== undefined) addChain(chain, destinations, validation);
  }
  const used = new Set([...destinations.values()].flatMap((destination) => [...destination.chains.values()]));
  for (const [i, chain] of chains.entries()) {
    if (chain === undefined || used.has(chain)) continue;
    const problem = neverMatches(chain) ?? outdone(chain, destinations);
    if (problem === undefined) continue;
    at(i, () => validation.ignore('filter chain', `${problem}: gRPC drops the chain`));
  }
  return [...used];
}

function neverMatches({ match }: FilterChain): string | undefined {
  if (match.destinationPort !== 0) return 'gRPC does not match destination_port';
  if (match.serverNames.length > 0) return 'gRPC does not match server_names';
  if (match.transportProtocol !== '' && match.transportProtocol !== RAW_BUFFER) {
    return `gRPC never sees transport_protocol "${match.transportProtocol}"`;
  }
  return match.applicationProtocols.length > 0 ? 'gRPC does not match application_protocols' : undefined;
}

function outdone({ match }: FilterChain, destinations: ReadonlyMap<string, Destination>): string | undefined {
  const isOutdone =
    match.transportProtocol === '' && rangeKeys(match.prefixRanges).every((key) => destinations.get(key)?.hasRawBuffer);
  return isOutdone ? 'a chain for raw_buffer takes its connections' : undefined;
}

function addChain(chain: FilterChain, destinations: Map<string, Destination>, validation: Validation): void {
  const { match } = chain;
  const isRaw = match.transportProtocol === RAW_BUFFER;
  // These are dropped before anything is made of them; one with application protocols only after its transport counted.
  if (match.destinationPort !== 0 || match.serverNames.length > 0 || (match.transportProtocol !== '' && !isRaw)) return;
  for (const key of rangeKeys(match.prefixRanges)) {
    const destination = destinations.get(key) ?? { hasRawBuffer: false, chains: new Map() };
    destinations.set(key, destination);
    // Chains for raw_buffer are preferred: the first puts all others for these addresses out of use.
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
