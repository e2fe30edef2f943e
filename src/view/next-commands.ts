import { shellCommand } from '../base/shell-word.js';
import { serverAddress } from '../bootstrap/target.js';
import type { Cause, CauseCode, Verdict } from '../inspect/verdict/verdict.js';
import type { ShortType } from '../proto/resource-types.js';

/** The command line of the user: the program, and the flags that connect to the same control plane. */
export interface RerunCommand {
  program: string;
  flags: readonly string[];
}

const GET: Record<ShortType, string> = { LDS: 'listeners', RDS: 'routes', CDS: 'clusters', EDS: 'endpoints' };

type Suggest = (target: string, cause: Cause) => (readonly string[] | undefined)[];

const watch: Suggest = (target) => [['watch', target]];
const resource: Suggest = (_, cause) => [cause.resource === null ? undefined : getCommand(cause.resource)];
const listeners: Suggest = () => [['get', 'listeners']];
const wire: Suggest = (target) => [['status', '-v', target]];

/** The most useful command for each cause. For a missing cluster that is the list of all: fetching it by name times out. */
const BY_CAUSE: Record<CauseCode, Suggest> = {
  'no-listener': listeners,
  'virtual-host-mismatch': resource,
  'no-route': (target) => [['config', target]],
  rejected: resource,
  'data-error': watch,
  unreachable: wire,
  tls: wire,
  'node-refused': wire,
  silent: wire,
  'not-in-response': (target, cause) =>
    cause.resource?.type === 'CDS' ? [['get', 'clusters']] : resource(target, cause),
  deleted: watch,
  'no-usable-endpoint': resource,
  'no-endpoints': resource,
  'missing-leaf': resource,
  'on-fallback': watch,
  'depends-on': (target) => [['config', '-o', 'yaml', target]],
  'kept-old-version': resource,
  fault: (target) => [['explain', target]],
  'config-tear': (target) => [['tears', '--for', '30s', target]],
  'unsupported-protocol': wire,
};

const CALL = ['--method', '/package.Service/Method'];

/** Suggests one or two commands that show more. Names are quoted for the shell, or the command is omitted. */
export function nextCommands({ target, verdict, cause }: Verdict, { program, flags }: RerunCommand): string[] {
  const forCause = cause === null ? [] : BY_CAUSE[cause.code](target, cause);
  const isServer = serverAddress(target) !== undefined;
  const forVerdict = verdict === 'partly' ? [['explain', target]] : verdict === 'waiting' ? [['watch', target]] : [];
  const ok = verdict === 'ok' && !isServer ? [['explain', ...CALL, target]] : [];
  const all = [...forCause, ...forVerdict, ...ok].flatMap((words) => {
    const line = words && shellCommand([...program.split(' '), ...withFlags(words, flags)]);
    return line === undefined ? [] : [line];
  });
  return [...new Set(all)].slice(0, 2);
}

/** Inserts the flags between the command and its arguments. */
function withFlags([command = '', ...rest]: readonly string[], flags: readonly string[]): string[] {
  return [command, ...flags, ...rest];
}

/** Undefined for a name that would be read as a flag: a control plane could choose one such as `--record=FILE`. */
function getCommand({ type, name }: NonNullable<Cause['resource']>): string[] | undefined {
  return name.startsWith('-') ? undefined : ['get', GET[type], name];
}
