import { parseMillis } from '../base/duration.js';
import { DEFAULT_PRESET, PRESET_NAMES } from '../bootstrap/presets.js';
import { CACHE_STATUSES } from '../core/cache-status.js';
import type { RESOURCE_TYPES } from '../proto/resource-types.js';
import type { Command } from './command.js';

/** A time such as `10s`, in milliseconds. */
export function durationOption(name: string, describe: string): Command['options'][string] {
  return {
    describe,
    type: 'string',
    requiresArg: true,
    names: 'time',
    coerce: (text: string | undefined) => {
      if (text === undefined) return undefined;
      const millis = parseMillis(String(text));
      if (millis === undefined) throw new Error(`--${name} takes a time such as 500ms, 10s or 2m, not "${text}"`);
      return millis;
    },
  };
}

/** What every command that connects takes: to whom, as whom, by whose rules. */
export const connectingOptions = {
  bootstrap: {
    alias: 'b',
    describe: 'The bootstrap file; else GRPC_XDS_BOOTSTRAP, else GRPC_XDS_BOOTSTRAP_CONFIG',
    type: 'string',
    requiresArg: true,
    names: 'file',
  },
  server: {
    describe: 'An xDS server, host:port, for a quick look without a bootstrap; over TLS unless --plaintext',
    type: 'string',
    requiresArg: true,
  },
  plaintext: { describe: 'Without TLS, with --server', type: 'boolean' },
  cacert: {
    describe: 'CA certificates to trust, a PEM file, with --server',
    type: 'string',
    requiresArg: true,
    names: 'file',
  },
  cert: { describe: 'Client certificate, a PEM file, with --server', type: 'string', requiresArg: true, names: 'file' },
  key: {
    describe: 'Key of the client certificate, a PEM file, with --server',
    type: 'string',
    requiresArg: true,
    names: 'file',
  },
  'node-id': { describe: "Instead of the bootstrap's node.id", type: 'string', requiresArg: true },
  'node-metadata': {
    describe: "Added to the bootstrap's node.metadata: k=v, several joined by commas",
    type: 'string',
    requiresArg: true,
    isJoined: true,
  },
  'user-agent': {
    describe: 'Instead of xds-inspect, for servers that branch on it',
    type: 'string',
    requiresArg: true,
  },
  'default-authority': {
    describe: "The data-plane authority that chooses the virtual host: gRPC's channel option",
    type: 'string',
    requiresArg: true,
  },
  as: {
    describe: "Whose behaviour: the gRFCs' as this tool reads them, or C-core to the letter",
    choices: PRESET_NAMES,
    default: DEFAULT_PRESET,
    requiresArg: true,
  },
  record: {
    describe: 'Keep the session in a file for replay; compressed if the name ends in .gz',
    type: 'string',
    requiresArg: true,
  },
  'show-secrets': { describe: 'Leave private keys, tokens and passwords in what is recorded', type: 'boolean' },
  verbose: { alias: 'v', describe: 'Show the wire, message by message, on stderr', type: 'boolean' },
  quiet: { alias: 'q', describe: 'No progress line', type: 'boolean' },
} satisfies Command['options'];

/** What every command that stays connected takes: whether others may look at its state. */
export const servingOptions = {
  'csds-port': {
    describe: 'Serve the state of this client over CSDS: a port on loopback, 0 for a free one, or host:port',
    type: 'string',
    requiresArg: true,
  },
} satisfies Command['options'];

/** What every command that lists resources takes: which of them, and how. */
export const listingOptions = {
  type: {
    describe: 'Only these types, joined by commas: LDS,RDS,CDS,EDS',
    type: 'string',
    requiresArg: true,
    words: ['LDS', 'RDS', 'CDS', 'EDS'] satisfies (keyof typeof RESOURCE_TYPES)[],
  },
  name: { describe: 'Only names that match this regular expression (RE2)', type: 'string', requiresArg: true },
  status: {
    describe: 'Only these cache states, joined by commas: NACKED,TIMEOUT,…',
    type: 'string',
    requiresArg: true,
    words: CACHE_STATUSES,
  },
  timestamp: { alias: 't', describe: 'Times instead of ages', type: 'boolean' },
  'fail-on': {
    describe: 'Cache states that make the exit code 79, joined by commas; or none',
    type: 'string',
    default: 'NACKED,RECEIVED_ERROR,DOES_NOT_EXIST,TIMEOUT',
    requiresArg: true,
    words: [...CACHE_STATUSES, 'none'],
  },
} satisfies Command['options'];
