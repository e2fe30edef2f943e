import { UsageError } from '../../base/failure.js';
import { DEFAULT_PRESET, PRESET_NAMES, PRESET_WORDS, presetNamed } from '../../bootstrap/preset-names.js';
import { aliasedChoice, duration, flag, joined, text } from '../option.js';
import { contextOption } from './context.js';

/** The implementation whose behaviour the client follows. */
export const asOption = {
  as: aliasedChoice(
    'Client behaviour: that of the gRFCs (spec), or of an implementation',
    PRESET_NAMES,
    { words: PRESET_WORDS, read: presetNamed },
    { default: DEFAULT_PRESET },
  ),
};

/** `k=v` pairs that are added to the metadata of the node. */
const metadata = joined("Add k=v pairs, joined by commas, to the bootstrap's node.metadata", (parts, name) =>
  parts.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--${name} takes k=v pairs joined by commas, not "${pair}"`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  }),
);

/** TLS settings of `--server`. */
const tlsOptions = {
  plaintext: flag('Connect without TLS; requires --server'),
  cacert: text('CA certificates to trust (PEM file); requires --server', { completes: 'file' }),
  cert: text('Client certificate (PEM file); requires --server', { completes: 'file' }),
  key: text('Private key of the client certificate (PEM file); requires --server', { completes: 'file' }),
};

/** The servers and the node of a client. */
export const clientOptions = {
  ...contextOption,
  bootstrap: text('Bootstrap file (default: GRPC_XDS_BOOTSTRAP, then GRPC_XDS_BOOTSTRAP_CONFIG)', {
    alias: 'b',
    completes: 'file',
  }),
  server: text('xDS server (host:port) to use without a bootstrap; over TLS unless --plaintext'),
  ...tlsOptions,
  'node-id': text("Node ID to send instead of the bootstrap's node.id"),
  'node-metadata': metadata,
  'user-agent': text('User agent name to send instead of xds-inspect, for servers that depend on it'),
  'default-authority': text(
    'Data plane authority that selects the virtual host (channel option grpc.default_authority)',
  ),
};

const showSecrets = flag('Show private keys, tokens and passwords in resources, recordings and CSDS');
const quiet = flag('Suppress the progress line and remarks', { alias: 'q' });

/** Options of commands that connect to a control plane: the servers, the node and the client behaviour. */
export const connectingOptions = {
  ...clientOptions,
  ...asOption,
  record: text('Write a recording of the session to this file, for replay; compressed if the name ends in .gz'),
  'show-secrets': showSecrets,
  verbose: flag('Print requests, responses and connection events on stderr', { alias: 'v' }),
  quiet,
};

/** Options of commands that connect as several clients. */
export const severalClientsOptions = { ...clientOptions, 'show-secrets': showSecrets, quiet };

/** Options of commands that stay connected. */
export const servingOptions = {
  'csds-port': text('Serve the state of this client over CSDS on this loopback port (0: a free one) or host:port'),
  'metrics-port': text('Serve metrics for Prometheus on this loopback port (0: a free one) or host:port'),
};

/** Options of commands that wait until the targets have settled. */
export const timeoutOption = {
  timeout: duration('Maximum time to wait (default: the longest resource timer of the servers plus ten seconds)'),
};

/** Options of commands that observe for a period. */
export const forOption = { for: duration('Observe for this long (default: until interrupted)') };

/** Options of commands that explain why a listener does not exist. */
export const probeOption = {
  'no-probe': flag('Do not request the list of listeners when the listener of a target does not exist'),
};
