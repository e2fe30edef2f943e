import { formatsOf } from '../../view/formats.js';
import { argument, command, type Input } from '../command.js';
import { duration, flag, list, text, words } from '../option.js';
import { connectingOptions, forOption, servingOptions } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { formatOption } from '../options/output.js';

// It follows no target.
const { 'default-authority': _authority, ...connecting } = connectingOptions;

/** For replay as well. */
export const resourceTypeOptions = {
  'descriptor-set': list(
    'FileDescriptorSet (protoc --descriptor_set_out) with types of yours; may be given several times',
    { completes: 'file' },
  ),
  'proto-path': list('Folder of .proto files with types of yours; may be given several times', { completes: 'file' }),
  'show-secrets': flag('Print private keys, tokens and passwords, too'),
};

const GET_FAILING = ['NACKED', 'RECEIVED_ERROR'] as const;

const declared = {
  name: 'get',
  describe: 'Fetch resources of any type as they are: curl for xDS',
  arguments: {
    type: argument.one(
      'listeners, routes, clusters, endpoints, secrets, all (the first four), lds, rds, cds, eds, sds, ecds, rtds, srds, vhds, leds, trds, a message name or a type URL',
    ),
    names: argument.any('Names of resources; none subscribes to everything, and so does "*"'),
  },
  options: {
    ...connecting,
    ...findingOptions,
    ...servingOptions,
    output: formatOption(
      'Output format; with --watch, json is the same as ndjson',
      formatsOf('resources', 'resource-changes'),
    ),
    watch: flag('Stay subscribed, and print each resource when it changes', { alias: 'w' }),
    ...forOption,
    timeout: duration('How long to wait (default: as long as gRPC waits for a resource, 15s)'),
    nack: text('Reject every response with this reason, to test a control plane'),
    ...resourceTypeOptions,
    'fail-on': words(
      'What makes the exit code 79: NACKED, RECEIVED_ERROR, joined by commas; or none',
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
    '$0 get lds --watch --for 1m': 'Listeners, as they change',
    '$0 get acme.Widget --proto-path protos/': 'A type of your own',
    '$0 get cds --nack "does it stop?"': 'What a control plane does after a NACK; see it with -v',
  },
};
export type GetInput = Input<typeof declared>;

export const getCommand = command(declared, async () => (await import('../run/get.js')).get);
