import { unpackAny } from './decode-message.js';
import { checkConnectionManager, HTTP_CONNECTION_MANAGER } from './http-connection-manager.js';
import { ipLiteral } from './ip-literal.js';
import { catching, invalid, JavaError, within } from './java-error.js';
import type { ProtoMessage } from './proto-message.js';
import type { Settings } from './settings.js';
import { checkDownstreamTls } from './tls-context.js';

const DOWNSTREAM_TLS = 'envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext';

/** Checks a filter chain. `matches` contains those of earlier chains; the default chain has none. */
export function checkFilterChain(
  chain: ProtoMessage,
  name: string,
  matches: Set<string> | undefined,
  settings: Settings,
): void {
  within(['filters'], () => checkFilters(chain.messages('filters'), name, settings));
  if (chain.has('transport_socket'))
    within(['transport_socket'], () => checkTransportSocket(chain.message('transport_socket'), name, settings));
  within(['filter_chain_match'], () => {
    for (const match of crossProduct(chain.message('filter_chain_match'), settings)) {
      if (matches?.has(match) === true) invalid(`FilterChainMatch must be unique. Found duplicate: ${match}`);
      matches?.add(match);
    }
  });
}

function checkFilters(filters: readonly ProtoMessage[], chainName: string, settings: Settings): void {
  const [filter] = filters;
  if (filter === undefined || filters.length !== 1)
    throw new JavaError('invalid', `FilterChain ${chainName} should contain exact one HttpConnectionManager filter`);
  const name = filter.string('name');
  const contains = `FilterChain ${chainName} contains filter ${name}`;
  if (!filter.has('typed_config')) invalid(`${contains} without typed_config`);
  const any = filter.message('typed_config');
  const url = any.string('type_url');
  if (url !== `type.googleapis.com/${HTTP_CONNECTION_MANAGER}`)
    invalid(`${contains} with unsupported typed_config type ${url}`);
  within([0, 'typed_config'], () => {
    const manager = catching(
      ['proto'],
      () => unpackAny(any, HTTP_CONNECTION_MANAGER),
      (error) => `FilterChain ${chainName} with filter ${name} failed to unpack message: ${error.detail}`,
    );
    checkConnectionManager(manager, 'server', settings);
  });
}

function checkTransportSocket(socket: ProtoMessage, chainName: string, settings: Settings): void {
  if (socket.string('name') !== 'envoy.transport_sockets.tls')
    invalid(`transport-socket with name ${socket.string('name')} not supported.`);
  within(['typed_config'], () => {
    const context = catching(
      ['proto'],
      () => unpackAny(socket.message('typed_config'), DOWNSTREAM_TLS),
      (error) => `FilterChain ${chainName} failed to unpack message: ${error.detail}`,
    );
    checkDownstreamTls(context, settings);
  });
}

/** Splits a match into matches with at most one value of each kind, in Java's form and order. */
function crossProduct(match: ProtoMessage, settings: Settings): string[] {
  const ranges = (name: string): string[] => {
    return match.messages(name).map((range) => cidrRange(range, settings));
  };
  const prefixes = ranges('prefix_ranges');
  const sources = ranges('source_prefix_ranges');
  const sourceType = match.enumName('source_type');
  if (sourceType === 'UNRECOGNIZED') invalid(`Unknown source-type: ${sourceType}`);
  const port = match.message('destination_port').int('value');
  return oneByOne(prefixes).flatMap((prefix) =>
    oneByOne(match.strings('application_protocols')).flatMap((protocol) =>
      oneByOne(sources).flatMap((source) =>
        oneByOne(match.ints('source_ports').map(String)).flatMap((sourcePort) =>
          oneByOne(match.strings('server_names')).map(
            (server) =>
              `FilterChainMatch{destinationPort=${port}, prefixRanges=[${prefix}], applicationProtocols=[${protocol}], sourcePrefixRanges=[${source}], connectionSourceType=${sourceType}, sourcePorts=[${sourcePort}], serverNames=[${server}], transportProtocol=${match.string('transport_protocol')}}`,
          ),
        ),
      ),
    ),
  );
}

function oneByOne(values: readonly string[]): readonly string[] {
  return values.length === 0 ? [''] : values;
}

function cidrRange(range: ProtoMessage, { interfaces }: Settings): string {
  const address = catching(
    ['argument'],
    () => ipLiteral(range.string('address_prefix'), interfaces),
    (error) => `Failed to create CidrRange: ${error.detail}`,
  );
  return `CidrRange{addressPrefix=/${address}, prefixLen=${range.message('prefix_len').int('value')}}`;
}
