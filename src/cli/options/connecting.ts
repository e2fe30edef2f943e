import { UsageError } from '../../base/failure.js';
import { type MetadataPart, readLocality, readMetadataText } from '../../bootstrap/node-metadata.js';
import { DEFAULT_PRESET, PRESET_NAMES, PRESET_WORDS, presetNamed } from '../../bootstrap/preset-names.js';
import { readHeader, type XdsHeader } from '../../bootstrap/xds-headers.js';
import { aliasedChoice, duration, flag, list, listOf, type Option, text, value } from '../option.js';
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

/** What is added to the metadata of the node. */
const metadata = {
  ...list("Add to the bootstrap's node.metadata: k=v pairs joined by commas, a JSON object, or @FILE; may be repeated"),
  read: (typed, name) =>
    listOf(typed).flatMap((one) => {
      const read = readMetadataText(one);
      if (!read.ok) throw new UsageError(`--${name} ${read.problem}`);
      return read.parts;
    }),
} satisfies Option<MetadataPart[]>;

const locality = value('Locality to send: REGION[/ZONE[/SUB_ZONE]]', 'TEXT', {}, (typed, name) => {
  if (readLocality(typed) !== undefined) return typed;
  throw new UsageError(`--${name} takes region, region/zone or region/zone/sub_zone, not "${typed}"`);
});

/** Metadata of the calls to xDS servers. */
export const headerOption = {
  'xds-header': {
    ...list("Metadata of the calls to the xDS server, 'name: value'; may be repeated", { alias: 'H' }),
    read: (typed, name) =>
      listOf(typed).map((one) => {
        const read = readHeader(one);
        if (!read.ok) throw new UsageError(`--${name} ${read.problem}`);
        return read.header;
      }),
  } satisfies Option<XdsHeader[]>,
};

/** How kubectl finds the cluster. */
export const kubeOptions = {
  'kube-context': text('Context of kubectl; requires --kube'),
  kubeconfig: text('Configuration file of kubectl; requires --kube', { completes: 'file' }),
};

/** The connection to `--server` and `--kube`. */
const serverOptions = {
  plaintext: flag('Connect without TLS; requires --server or --kube'),
  insecure: flag('Connect with TLS without verifying the certificate of the server'),
  cacert: text('CA certificates to trust (PEM file); requires --server or --kube', { completes: 'file' }),
  cert: text('Client certificate (PEM file); requires --server or --kube', { completes: 'file' }),
  key: text('Private key of the client certificate (PEM file); requires --server or --kube', { completes: 'file' }),
  authority: text(
    'Name of the xDS server in TLS and in :authority, if it is not that of the address (port-forward, tunnel)',
  ),
  'token-file': text('Bearer token for the xDS server (file; read again for each stream)', { completes: 'file' }),
  ...headerOption,
};

/** The servers and the node of a client. */
export const clientOptions = {
  ...contextOption,
  bootstrap: text('Bootstrap file (default: GRPC_XDS_BOOTSTRAP, then GRPC_XDS_BOOTSTRAP_CONFIG)', {
    alias: 'b',
    completes: 'file',
  }),
  server: text('xDS server (host:port or unix:/path) to use without a bootstrap; over TLS unless --plaintext'),
  kube: text('xDS server in Kubernetes, by kubectl port-forward: [NAMESPACE/](svc|pod|deploy)/NAME:PORT'),
  ...kubeOptions,
  ...serverOptions,
  'node-id': text("Node ID to send instead of the bootstrap's node.id"),
  'node-cluster': text("Cluster of the node to send instead of the bootstrap's node.cluster"),
  'node-locality': locality,
  'node-metadata': metadata,
  'user-agent': text('User agent name to send instead of xds-inspect, for servers that depend on it'),
  'default-authority': text(
    'Data plane authority of the target, which selects the virtual host (channel option grpc.default_authority)',
  ),
};

const showSecrets = flag('Show private keys, tokens and passwords in resources, headers, recordings and CSDS');
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
