import { formatsOf } from '../../view/formats.js';
import { argument, command, type Input } from '../command.js';
import { duration, flag, list, text, words } from '../option.js';
import { connectingOptions, forOption, servingOptions } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { formatOption } from '../options/output.js';

// `get` has no targets, so it has no data plane authority.
const { 'default-authority': _authority, ...connecting } = connectingOptions;

/** Also options of replay. */
export const resourceTypeOptions = {
  'descriptor-set': list('FileDescriptorSet (protoc --descriptor_set_out) with your own types; may be repeated', {
    completes: 'file',
  }),
  'proto-path': list('Folder of .proto files with your own types; may be repeated', { completes: 'file' }),
  'show-secrets': flag('Print private keys, tokens and passwords unredacted'),
};

const GET_FAILING = ['NACKED', 'RECEIVED_ERROR'] as const;

const declared = {
  arguments: {
    type: argument.one(
      'Resource type: listeners, routes, clusters, endpoints, secrets, all (the first four), lds, rds, cds, eds, sds, ecds, rtds, srds, vhds, leds, trds, a message name or a type URL',
    ),
    names: argument.any('Resource names; without names, or with "*", a wildcard subscription'),
  },
  options: {
    ...connecting,
    ...findingOptions,
    ...servingOptions,
    output: formatOption(
      'Output format; with --watch, json is the same as ndjson',
      formatsOf('resources', 'resource-changes'),
    ),
    watch: flag('Stay subscribed and print each resource when it changes', { alias: 'w' }),
    ...forOption,
    timeout: duration("Maximum time to wait (default: gRPC's resource timer, 15s)"),
    nack: text('Reject every response with this error message, to test a control plane'),
    ...resourceTypeOptions,
    'fail-on': words(
      'Cache statuses that cause exit code 79: NACKED, RECEIVED_ERROR, joined by commas; or none',
      [...GET_FAILING, 'none'],
      {
        default: GET_FAILING.join(),
      },
    ),
  },
  examples: {
    '$0 get clusters': 'All clusters',
    '$0 get all -o table': 'Listeners, routes, clusters and endpoints',
    '$0 get endpoints blue green -o json': 'Two load assignments, for a script',
    '$0 get secret server-cert --server localhost:18000 --plaintext': 'A secret, without its key',
    '$0 get lds --watch --for 1m': 'Changes of listeners in one minute',
    '$0 get acme.Widget --proto-path protos/': 'One of your own types',
    '$0 get cds --nack "does it stop?"': 'How a control plane reacts to a NACK; -v prints its responses',
  },
};
export type GetInput = Input<typeof declared>;

export const getCommand = command(declared, async () => (await import('../run/get.js')).get);
