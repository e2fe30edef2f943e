import type { MessageView } from '../message-view.js';
import { requireCertificateProviders } from './certificate-providers.js';
import type { GoContext } from './go-context.js';
import { quoted } from './go-text.js';
import { parseAddress, prefixKey, unmapped } from './netip.js';
import { validateNetworkFilters } from './network-filters.js';
import { reject, within } from './rejection.js';
import { enumText } from './text-format.js';
import { type SecurityConfig, validateDownstreamTls } from './tls.js';

const SOURCE_TYPE = 'envoy.config.listener.v3.FilterChainMatch.ConnectionSourceType';
/** Any source, the same host, and other hosts. */
const SOURCE_TYPES = 3;

/** The prefix of a chain without ranges. */
const EVERYTHING = '';

/** The chains of a destination, by source and port. */
interface Destination {
  /** Only chains for plaintext connections count once there is one. */
  hasRawBuffer: boolean;
  chains: Map<string, SecurityConfig | undefined>;
}

/** Validates the filter chains of a server listener, as far as grpc-go reads them. */
export function validateFilterChains(listener: MessageView, context: GoContext): void {
  const byDefault = listener.message('default_filter_chain');
  const securityConfigs: (SecurityConfig | undefined)[] = [];
  if (byDefault !== undefined)
    within(
      (error) => `failed to unmarshal default filter chain: ${error}`,
      () => securityConfigs.push(validateChain(byDefault, context)),
    );
  const destinations = new Map<string, Destination>();
  within(
    (error) => `failed to unmarshal filter chains: ${error}`,
    () => {
      for (const chain of listener.messages('filter_chains')) addChain(destinations, chain, context);
    },
  );
  for (const { chains } of destinations.values()) securityConfigs.push(...chains.values());
  if (securityConfigs.length === 0) reject(listener, 'no supported filter chains and no default filter chain');
  for (const security of securityConfigs) requireCertificateProviders(security, listener, context);
}

function addChain(destinations: Map<string, Destination>, chain: MessageView, context: GoContext): void {
  const match = chain.message('filter_chain_match');
  if ((match?.message('destination_port')?.number('value') ?? 0) !== 0) return;
  for (const prefix of prefixesOf(match, 'prefix_ranges', 'destination')) {
    const destination = destinations.get(prefix) ?? { hasRawBuffer: false, chains: new Map() };
    destinations.set(prefix, destination);
    if (match !== undefined && !canMatch(match, destination)) continue;
    for (const source of sourcesOf(match)) {
      if (destination.chains.has(source))
        reject(chain, 'multiple filter chains with overlapping matching rules are defined', 'filter_chain_match');
      destination.chains.set(source, validateChain(chain, context));
    }
  }
}

/** Whether a connection can match; grpc-go drops other chains before it validates them. */
function canMatch(match: MessageView, destination: Destination): boolean {
  if (match.texts('server_names').length > 0) return false;
  const protocol = match.text('transport_protocol');
  if (protocol !== '' && protocol !== 'raw_buffer') return false;
  if (protocol === '' && destination.hasRawBuffer) return false;
  if (protocol !== '' && !destination.hasRawBuffer) {
    destination.hasRawBuffer = true;
    destination.chains.clear();
  }
  return match.texts('application_protocols').length === 0;
}

/** The sources and ports of a chain, as keys. */
function* sourcesOf(match: MessageView | undefined): Generator<string> {
  const type = match?.number('source_type') ?? 0;
  if (match !== undefined && (type < 0 || type >= SOURCE_TYPES))
    reject(match, `unsupported source type: ${enumText(SOURCE_TYPE, type)}`, 'source_type');
  const ports = match?.numbers('source_ports') ?? [];
  for (const prefix of prefixesOf(match, 'source_prefix_ranges', 'source'))
    for (const port of ports.length === 0 ? [0] : ports) yield `${type} ${prefix} ${port}`;
}

function prefixesOf(match: MessageView | undefined, field: string, side: 'source' | 'destination'): string[] {
  const prefixes = within(
    (error) => `failed to parse ${side} prefix ranges: ${error}`,
    () => [...(match?.messages(field) ?? [])].map(prefixOf),
  );
  return prefixes.length === 0 ? [EVERYTHING] : prefixes;
}

function prefixOf(range: MessageView): string {
  const text = range.text('address_prefix');
  const length = range.message('prefix_len')?.number('value') ?? 0;
  const parsed = parseAddress(text);
  if (typeof parsed === 'string') reject(range, `invalid address: ${quoted(text)}`, 'address_prefix');
  const address = unmapped(parsed);
  if (length > address.bits)
    reject(range, `length ${length} is invalid for "${text}" (max ${parsed.bits})`, 'prefix_len');
  return prefixKey(address, length);
}

function validateChain(chain: MessageView, context: GoContext): SecurityConfig | undefined {
  validateNetworkFilters(chain, context);
  return validateDownstreamTls(chain, context);
}
