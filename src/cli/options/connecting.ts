import { UsageError } from '../../base/failure.js';
import { DEFAULT_PRESET, PRESET_NAMES } from '../../bootstrap/presets.js';
import { choice, duration, flag, joined, text } from '../option.js';

/** Whose behaviour a client shows. */
export const asOption = {
  as: choice("Whose behaviour: the gRFCs' as this tool reads them, or C-core to the letter", PRESET_NAMES, {
    default: DEFAULT_PRESET,
  }),
};

/** Added to the node's metadata: `k=v`. */
const metadata = joined("Add to the bootstrap's node.metadata: k=v, several joined by commas", (parts, name) =>
  parts.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--${name} takes k=v, several joined by commas, not "${pair}"`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  }),
);

/** TLS of a connection that needs no bootstrap. */
const tlsOptions = {
  plaintext: flag('Connect without TLS, with --server'),
  cacert: text('CA certificates to trust, a PEM file, with --server', { completes: 'file' }),
  cert: text('Client certificate, a PEM file, with --server', { completes: 'file' }),
  key: text('Key of the client certificate, a PEM file, with --server', { completes: 'file' }),
};

/** Every command that connects to a control plane: where, as which node, with whose behaviour. */
export const connectingOptions = {
  bootstrap: text('Bootstrap file; else GRPC_XDS_BOOTSTRAP, else GRPC_XDS_BOOTSTRAP_CONFIG', {
    alias: 'b',
    completes: 'file',
  }),
  server: text('xDS server, host:port, for a quick look without a bootstrap; over TLS unless --plaintext'),
  ...tlsOptions,
  'node-id': text("Node id, instead of the bootstrap's node.id"),
  'node-metadata': metadata,
  'user-agent': text('User agent name instead of xds-inspect, for servers that branch on it'),
  'default-authority': text("Data-plane authority that selects the virtual host: gRPC's channel option"),
  ...asOption,
  record: text('Write a recording of the session to a file, for replay; compressed if the name ends in .gz'),
  'show-secrets': flag('Keep private keys, tokens and passwords in the recording'),
  verbose: flag('Show the wire, message by message, on stderr', { alias: 'v' }),
  quiet: flag('No progress line', { alias: 'q' }),
};

/** Every command that stays connected. */
export const servingOptions = {
  'csds-port': text('Serve the state of this client over CSDS: a port on loopback, 0 for a free one, or host:port'),
};

/** Every command that waits until it has settled. */
export const timeoutOption = {
  timeout: duration('How long to wait (default: the longest resource timer of the servers, plus ten seconds)'),
};

/** Every command that observes for a while. */
export const forOption = { for: duration('How long (default: until interrupted)') };

/** Every command that explains why a listener does not exist. */
export const probeOption = {
  'no-probe': flag('Do not ask the control plane which listeners it has if that of a target does not exist'),
};
