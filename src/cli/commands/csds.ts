import { REMOTE_STATES } from '../../csds/remote-states.js';
import { callOptions } from '../call-options.js';
import type { Command } from '../command.js';
import { connectingOptions, durationOption, listingOptions } from '../connecting-options.js';

export const csdsCommand: Command = {
  usage: 'csds <addresses..>',
  describe: "Read other processes' xDS state over CSDS: gRPC applications, control planes, xds-inspect itself",
  arguments: { addresses: { describe: 'Where a process serves CSDS: host:port, or unix:/path' } },
  options: {
    view: {
      describe:
        'What to make of it: resources, the configuration that RPCs go by, what an RPC would get, what a file expects',
      choices: ['status', 'config', 'explain', 'check'],
      default: 'status',
      requiresArg: true,
    },
    output: {
      alias: 'o',
      describe: 'How to print it; csds is the ClientStatusResponse in proto JSON',
      choices: [
        'table',
        'wide',
        'json',
        'yaml',
        'ndjson',
        'name',
        'csds',
        'tree',
        'dot',
        'mermaid',
        'service-config',
        'text',
        'junit',
        'github',
        'tap',
      ],
      requiresArg: true,
    },
    expectations: {
      describe: 'What is expected, a file as check takes it, with --view check',
      type: 'string',
      requiresArg: true,
      names: 'file',
    },
    watch: { alias: 'w', describe: 'Ask again and again (StreamClientStatus), and tell what changes', type: 'boolean' },
    interval: { ...durationOption('interval', 'How often, with --watch'), default: '1s' },
    for: durationOption('for', 'How long, with --watch; unless given, until interrupted'),
    'node-match': {
      describe: 'Of a control plane: only the client with this node id; may be given several times',
      type: 'string',
      array: true,
      nargs: 1,
      requiresArg: true,
    },
    plaintext: { describe: 'Without TLS', type: 'boolean' },
    insecure: { describe: 'With TLS, whatever certificate the server has', type: 'boolean' },
    cacert: { describe: 'CA certificates to trust, a PEM file', type: 'string', requiresArg: true, names: 'file' },
    cert: { describe: 'Client certificate, a PEM file', type: 'string', requiresArg: true, names: 'file' },
    key: { describe: 'Key of the client certificate, a PEM file', type: 'string', requiresArg: true, names: 'file' },
    authority: {
      describe: "The server's name, for the :authority header and its certificate",
      type: 'string',
      requiresArg: true,
    },
    'connect-timeout': { ...durationOption('connect-timeout', 'How long a connection may take'), default: '10s' },
    timeout: { ...durationOption('timeout', 'How long an answer may take'), default: '20s' },
    ...listingOptions,
    status: { ...listingOptions.status, words: REMOTE_STATES },
    'fail-on': {
      ...listingOptions['fail-on'],
      default: `${listingOptions['fail-on'].default},ERROR`,
      words: [...REMOTE_STATES, 'none'],
    },
    ...callOptions,
    'default-authority': connectingOptions['default-authority'],
    as: connectingOptions.as,
    'show-secrets': { describe: 'Print private keys, tokens and passwords as they are', type: 'boolean' },
  },
  examples: [
    ['$0 csds localhost:50051 --plaintext', 'What a gRPC application has'],
    ['$0 csds pod-1:50051 pod-2:50051 --plaintext --status NACKED', 'What several have refused'],
    ['$0 csds localhost:50051 --plaintext --view explain --method /a.B/C', 'What an RPC of that application would get'],
    ['$0 csds istiod:15010 --plaintext --node-match my-node -o wide', "A control plane's view of one client"],
  ],
  run: async (args, env) => (await import('../run/csds.js')).csds(args, env),
};
