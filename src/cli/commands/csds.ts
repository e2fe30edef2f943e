import { REMOTE_STATES } from '../../csds/remote-states.js';
import { argument, command, type Input } from '../command.js';
import { choice, duration, flag, list, text } from '../option.js';
import { callOptions, positive } from '../options/call.js';
import { asOption, connectingOptions, forOption } from '../options/connecting.js';
import { CSDS_FORMATS } from '../options/csds-formats.js';
import { REMOTE_FAILING, resourceFilterOptionsFor } from '../options/resource-filter.js';

const declared = {
  name: 'csds',
  describe: "Read other processes' xDS state over CSDS: gRPC applications, control planes, xds-inspect itself",
  arguments: { addresses: argument.some('Where a process serves CSDS: host:port, or unix:/path') },
  options: {
    view: choice(
      'What to show: resources, the resolved configuration, the predicted outcome of an RPC, or a check of expectations',
      ['status', 'config', 'explain', 'check'],
      { default: 'status' },
    ),
    output: choice(
      'Output format; csds is the ClientStatusResponse in proto JSON',
      [...new Set(Object.values(CSDS_FORMATS).flat())],
      { alias: 'o' },
    ),
    expectations: text('File with expectations, as check takes it, with --view check', { completes: 'file' }),
    watch: flag('Poll (StreamClientStatus), and print what changes', { alias: 'w' }),
    interval: positive(
      duration('How often to poll, with --watch', { default: '1s' }),
      '--interval 0s would poll without a break',
    ),
    ...forOption,
    'node-match': list('For a control plane: only the client with this node id; may be given several times'),
    plaintext: flag('Connect without TLS'),
    insecure: flag('Connect with TLS, whatever certificate the server has'),
    cacert: text('CA certificates to trust, a PEM file', { completes: 'file' }),
    cert: text('Client certificate, a PEM file', { completes: 'file' }),
    key: text('Key of the client certificate, a PEM file', { completes: 'file' }),
    authority: text("The server's name, for the :authority header and its certificate"),
    'connect-timeout': duration('How long a connection may take', { default: '10s' }),
    timeout: duration('How long a response may take', { default: '20s' }),
    ...resourceFilterOptionsFor(REMOTE_STATES, REMOTE_FAILING),
    ...callOptions,
    'default-authority': connectingOptions['default-authority'],
    ...asOption,
    'show-secrets': flag('Print private keys, tokens and passwords as they are'),
  },
  examples: {
    '$0 csds localhost:50051 --plaintext': 'What a gRPC application has',
    '$0 csds pod-1:50051 pod-2:50051 --plaintext --status NACKED': 'What several have rejected',
    '$0 csds localhost:50051 --plaintext --view explain --method /a.B/C': 'What an RPC of that application would get',
    '$0 csds istiod:15010 --plaintext --node-match my-node -o wide': "A control plane's view of one client",
  },
};
export type CsdsInput = Input<typeof declared>;

export const csdsCommand = command(declared, async () => (await import('../run/csds.js')).csds);
