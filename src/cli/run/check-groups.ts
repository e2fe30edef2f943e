import { dirname, resolve } from 'node:path';
import type { LocatedProblem } from '../../base/document.js';
import type { CheckFile, Connecting, Place, TargetCheck } from '../../inspect/expect/expectations.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { Failure } from '../failure.js';
import type { WatchedTarget } from './check-watch.js';
import { type Prepared, prepare } from './inspection.js';

/** Targets that one client would have: the same bootstrap, the same node. */
export interface Group {
  /** As if the file's words had been typed. */
  args: Arguments;
  prepared: Prepared;
  targets: WatchedTarget[];
}

/** What is wrong with a file although it can be read: a bootstrap, or a target that gRPC cannot use. */
export class BadCheckFile extends Error {
  readonly problems: LocatedProblem[];

  constructor(problems: LocatedProblem[]) {
    super('bad expectations file');
    this.problems = problems;
  }
}

/** Reads all bootstraps and finds all targets in them, before anything is connected. */
export async function prepareGroups(
  file: CheckFile,
  path: string,
  args: Arguments,
  env: CliEnvironment,
): Promise<Group[]> {
  const byArgs = new Map<string, { args: Arguments; checks: TargetCheck[]; at: Place | undefined }>();
  for (const check of file.targets) {
    const { settings, at } = settingsFor(check, file, path, args);
    const key = JSON.stringify(settings);
    const known = byArgs.get(key);
    if (known === undefined) byArgs.set(key, { args: { ...args, ...settings }, checks: [check], at });
    else known.checks.push(check);
  }
  const problems: LocatedProblem[] = [];
  const groups: Group[] = [];
  for (const { args: own, checks, at } of byArgs.values()) {
    own.targets = checks.map(({ target }) => target);
    const prepared = await prepareOne(own, at, problems, env);
    if (prepared === undefined) continue;
    const targets: Group['targets'] = [];
    for (const [i, check] of checks.entries()) {
      const found = prepared.targets[i] as Prepared['targets'][number];
      if (found.kind === 'follow') targets.push({ check, follow: found });
      else problems.push({ path: [], message: `${check.target}: ${found.message}`, ...check.at });
    }
    groups.push({ args: own, prepared, targets });
  }
  if (problems.length > 0) throw new BadCheckFile(problems);
  return groups;
}

/** What is wrong with a bootstrap that the file names is wrong with the file; one that was typed is not its fault. */
async function prepareOne(
  args: Arguments,
  at: Place | undefined,
  problems: LocatedProblem[],
  env: CliEnvironment,
): Promise<Prepared | undefined> {
  try {
    return await prepare(args, env);
  } catch (error) {
    if (!(error instanceof Failure) || at === undefined) throw error;
    problems.push({ path: [], message: error.message.replaceAll('\n', '; '), ...at });
    return undefined;
  }
}

const CONNECTING = ['bootstrap', 'server', 'plaintext', 'cacert', 'cert', 'key'] as const;
const PATHS = ['bootstrap', 'cacert', 'cert', 'key'] as const;

/** A target's own words count most, then those that were typed, then those at the top of the file. */
function settingsFor(
  check: TargetCheck,
  file: CheckFile,
  path: string,
  args: Arguments,
): { settings: Arguments; at: Place | undefined } {
  const isTyped = args.bootstrap !== undefined || args.server !== undefined;
  const own = isNamed(check.connecting);
  const top = !own && !isTyped && isNamed(file.connecting);
  const nodeId = check.nodeId ?? args.nodeId ?? file.nodeId;
  const settings: Arguments = { nodeId, defaultAuthority: check.defaultAuthority ?? args.defaultAuthority };
  if (!own && !top) return { settings, at: undefined };
  const said = own ? check.connecting : file.connecting;
  for (const key of CONNECTING) settings[key] = said[key];
  for (const key of PATHS) if (said[key] !== undefined) settings[key] = resolve(dirname(path), said[key]);
  if (said.plaintext !== true) settings.plaintext = undefined;
  return { settings, at: own ? check.connectingAt : file.connectingAt };
}

function isNamed({ bootstrap, server }: Connecting): boolean {
  return bootstrap !== undefined || server !== undefined;
}
