import { API_TYPES } from '../../proto/api-types.js';
import { argument, command, type Input } from '../command.js';
import { duration, flag, list, text, words } from '../option.js';
import { asOption, severalClientsOptions, timeoutOption } from '../options/connecting.js';
import { outputOption } from '../options/output.js';
import { resourceFilterOptions } from '../options/resource-filter.js';

const SIDE =
  'a target, csds:HOST:PORT, a recording (FILE or FILE@12.5s), a file or folder of resources, a saved JSON document, envoy:HOST:PORT or an Envoy config dump (file or URL)';

const declared = {
  arguments: {
    before: argument.one(`One side: ${SIDE}`, { completes: 'file' }),
    after: argument.optional(
      'The other side, in any of these forms (default: the same target, if -b, --server or --context is given twice)',
      { completes: 'file' },
    ),
  },
  options: {
    versions: flag('A different version is a difference, too'),
    ...outputOption('diff', 'diff-page'),
    ...severalClientsOptions,
    context: {
      ...list('Named control plane of the configuration file; twice: one for each side', { completes: 'context' }),
      placeholder: 'NAME',
    },
    bootstrap: list(
      'Bootstrap file (default: GRPC_XDS_BOOTSTRAP, then GRPC_XDS_BOOTSTRAP_CONFIG); twice: one for each side',
      {
        alias: 'b',
        completes: 'file',
      },
    ),
    server: list('xDS server (host:port) to use without a bootstrap; twice: one for each side'),
    kube: list('xDS server in Kubernetes: [NAMESPACE/](svc|pod|deploy)/NAME:PORT; twice: one for each side'),
    plaintext: flag('Connect to --server and to CSDS without TLS'),
    insecure: flag('Connect to --server, CSDS and HTTPS without verifying the certificate of the server'),
    cacert: text('CA certificates to trust (PEM file), for --server, CSDS and HTTPS', { completes: 'file' }),
    cert: text('Client certificate (PEM file), for --server, CSDS and HTTPS', { completes: 'file' }),
    key: text('Private key of the client certificate (PEM file)', { completes: 'file' }),
    authority: text('Server name of --server and CSDS for the :authority header and for certificate verification'),
    'token-file': text('Bearer token to send to --server and CSDS addresses (file)', { completes: 'file' }),
    'node-match': list('Only the client with this node ID, when reading the CSDS of a control plane; may be repeated'),
    ...asOption,
    type: words('Only these resource types (LDS,RDS,CDS,EDS,SDS,…)', Object.keys(API_TYPES)),
    name: resourceFilterOptions.name,
    'connect-timeout': duration('Maximum time to connect to a CSDS address', { default: '10s' }),
    ...timeoutOption,
  },
  examples: {
    '$0 diff greeter greeter -b old.json -b new.json':
      'Do two control planes serve the same configuration for a target?',
    '$0 diff night.xdsrec@10s night.xdsrec': 'What changed during a recorded session',
    '$0 diff csds:pod-1:50051 csds:pod-2:50051 --plaintext': 'Do two processes have the same configuration?',
    '$0 diff resources/ greeter -o diff': 'Does the control plane serve what the repository contains?',
    '$0 diff before.yaml http://localhost:9901/config_dump': "What changed in Envoy's configuration",
  },
};
export type DiffInput = Input<typeof declared>;

export const diffCommand = command(declared, async () => (await import('../run/diff.js')).diff);
