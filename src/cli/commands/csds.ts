import { PRESET_NAMES, PRESET_WORDS, presetNamed } from '../../bootstrap/preset-names.js';
import { REMOTE_STATES } from '../../csds/remote-states.js';
import { argument, command, type Input } from '../command.js';
import { aliasedChoice, choice, duration, flag, list, text } from '../option.js';
import { callOptions, positive } from '../options/call.js';
import { connectingOptions, forOption, headerOption, kubeOptions } from '../options/connecting.js';
import { csdsContextOption } from '../options/context.js';
import { CSDS_FORMATS } from '../options/csds-formats.js';
import { optionalFormat } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { REMOTE_FAILING, resourceFilterOptionsFor } from '../options/resource-filter.js';

const declared = {
  arguments: {
    addresses: argument.inContext(
      'Addresses that serve CSDS: host:port, unix:/path, kube:NAMESPACE/pod/NAME:PORT, @FILE with one address per line; or istio:host:port',
      'kube',
    ),
  },
  options: {
    ...csdsContextOption,
    view: choice(
      'View to print: resources of each client, all clients compared, the resolved configuration, the predicted outcome of an RPC, or a check of expectations (default: status; fleet for more than 8 addresses and for istio:)',
      ['status', 'fleet', 'config', 'explain', 'check'],
    ),
    output: optionalFormat('Output format; csds: the ClientStatusResponse in proto JSON; html: a report page', [
      ...new Set(Object.values(CSDS_FORMATS).flat()),
    ]),
    expectations: text('YAML file with expectations; requires --view check', { completes: 'file' }),
    watch: flag('Poll (StreamClientStatus) and print changes', { alias: 'w' }),
    interval: positive(duration('Polling interval of --watch', { default: '1s' }), '--interval must be longer than 0s'),
    ...forOption,
    'node-match': list('Only the client with this node ID, when reading a control plane; may be repeated'),
    plaintext: flag('Connect without TLS'),
    insecure: flag('Connect with TLS without verifying the certificate of the server'),
    cacert: text('CA certificates to trust (PEM file)', { completes: 'file' }),
    cert: text('Client certificate (PEM file)', { completes: 'file' }),
    key: text('Private key of the client certificate (PEM file)', { completes: 'file' }),
    'token-file': text('Bearer token to send, for example of a Kubernetes service account (file)', {
      completes: 'file',
    }),
    ...headerOption,
    authority: text('Server name for the :authority header and for certificate verification'),
    kube: list(
      'Process in Kubernetes, by kubectl port-forward: [NAMESPACE/](svc|pod|deploy)/NAME:PORT; may be repeated',
    ),
    ...kubeOptions,
    'connect-timeout': duration('Maximum time to connect', { default: '10s' }),
    timeout: duration('Maximum time to wait for a response', { default: '20s' }),
    ...resourceFilterOptionsFor(REMOTE_STATES, REMOTE_FAILING),
    ...pageOption,
    ...callOptions,
    'default-authority': connectingOptions['default-authority'],
    as: aliasedChoice(
      "Client behaviour (default: that of the client's implementation if it is known, else spec)",
      PRESET_NAMES,
      { words: PRESET_WORDS, read: presetNamed },
    ),
    'show-secrets': flag('Print private keys, tokens and passwords unredacted'),
  },
  examples: {
    '$0 csds localhost:50051 --plaintext': 'Resources of a gRPC application',
    '$0 csds pod-1:50051 pod-2:50051 --plaintext --status NACKED': 'Resources that several processes rejected',
    '$0 csds localhost:50051 --plaintext --view explain --method /a.B/C':
      'Predicted outcome of an RPC of that application',
    '$0 csds @addresses.txt --plaintext --watch': 'Who has which version, in a list of applications',
    '$0 csds istio:istiod:15010 --plaintext': "Istio's view of its proxies",
  },
};
export type CsdsInput = Input<typeof declared>;

export const csdsCommand = command(declared, async () => (await import('../run/csds.js')).csds);
