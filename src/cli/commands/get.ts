import type { Command } from '../command.js';
import { connectingOptions, durationOption, servingOptions } from '../connecting-options.js';
import { findingOptions } from '../finding-options.js';

// It follows no target.
const { 'default-authority': _authority, ...connecting } = connectingOptions;

export const getCommand: Command = {
  usage: 'get <type> [names..]',
  describe: 'Fetch resources of any type as they are: curl for xDS',
  arguments: {
    type: { describe: 'lds, rds, cds, eds, sds, ecds, rtds, srds, vhds, leds, trds, a message name or a type URL' },
    names: { describe: 'Names of resources; none ask for everything, and so does "*"' },
  },
  options: {
    ...connecting,
    ...findingOptions,
    ...servingOptions,
    output: {
      alias: 'o',
      describe: 'How to print them; with --watch, json is the same as ndjson',
      choices: ['yaml', 'json', 'ndjson', 'table', 'name'],
      default: 'yaml',
      requiresArg: true,
    },
    watch: { alias: 'w', describe: 'Go on, and print each resource when it changes', type: 'boolean' },
    for: durationOption('for', 'How long to watch; unless given, until interrupted'),
    timeout: durationOption('timeout', 'How long to wait; unless given, as long as gRPC waits for a resource: 15s'),
    nack: {
      describe: 'Reject every response with this reason, to test a control plane',
      type: 'string',
      requiresArg: true,
    },
    'descriptor-set': {
      describe: 'A FileDescriptorSet (protoc --descriptor_set_out) with types of yours; may be given several times',
      type: 'string',
      array: true,
      nargs: 1,
      requiresArg: true,
      names: 'file',
    },
    'proto-path': {
      describe: 'A folder of .proto files with types of yours; may be given several times',
      type: 'string',
      array: true,
      nargs: 1,
      requiresArg: true,
      names: 'file',
    },
    'show-secrets': { describe: 'Print private keys, tokens and passwords, too', type: 'boolean' },
    'fail-on': {
      describe: 'What makes the exit code 79: NACKED, RECEIVED_ERROR, joined by commas; or none',
      type: 'string',
      default: 'NACKED,RECEIVED_ERROR',
      requiresArg: true,
      words: ['NACKED', 'RECEIVED_ERROR', 'none'],
    },
  },
  examples: [
    ['$0 get cds', 'All clusters'],
    ['$0 get eds blue green -o json', 'Two load assignments, for a script'],
    ['$0 get sds server-cert --server localhost:18000 --plaintext', 'A secret, without its key'],
    ['$0 get lds --watch --for 1m', 'Listeners, as they change'],
    ['$0 get acme.Widget --proto-path protos/', 'A type of your own'],
    ['$0 get cds --nack "does it stop?"', 'What a control plane does with a NACK; see it with -v'],
  ],
  run: async (args, env) => (await import('../run/get.js')).get(args, env),
};
