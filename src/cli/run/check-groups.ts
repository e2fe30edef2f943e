import { dirname, resolve } from 'node:path';
import type { LocatedProblem } from '../../base/document.js';
import { Misuse } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import { readSwitches } from '../../bootstrap/switches.js';
import type { CheckFile, Place, TargetCheck } from '../../inspect/expect/expectations.js';
import type { CheckedTarget } from '../../inspect/expect/target-watch.js';
import type { ClientSetup } from '../../inspect/source.js';
import type { CheckInput } from '../commands/check.js';
import type { CliEnvironment } from '../environment.js';
import type { Printer } from '../printer.js';
import { clientFor, resolveTargets } from './connect.js';

/** Targets that one client has: the same bootstrap, the same node. */
export interface Group {
  client: ClientSetup;
  targets: CheckedTarget[];
}

/** Reads all bootstraps and resolves all targets, before anything is connected; pushes what is wrong with the file. */
export async function prepareGroups(
  file: CheckFile,
  path: string,
  input: CheckInput,
  problems: LocatedProblem[],
  out: Printer,
  env: CliEnvironment,
): Promise<Group[]> {
  const byInput = new Map<string, { input: CheckInput; checks: TargetCheck[]; at: Place | undefined }>();
  for (const check of file.targets) {
    const { input: own, at } = inputFor(check, file, path, input);
    const key = JSON.stringify(own);
    const known = byInput.get(key);
    if (known === undefined) byInput.set(key, { input: own, checks: [check], at });
    else known.checks.push(check);
  }
  const groups: Group[] = [];
  for (const { input: own, checks, at } of byInput.values()) {
    const client = await clientOf(own, at, problems, out, env);
    if (client === undefined) continue;
    const names = checks.map(({ target }) => target);
    const resolved = resolveTargets(names, own, client.bootstrap, readSwitches(env.variables, own.as));
    const targets = checks.flatMap((check, i): CheckedTarget[] => {
      const follow = resolved[i];
      if (follow?.kind === 'follow') return [{ check, follow }];
      problems.push({ path: [], message: `${check.target}: ${follow?.message}`, ...check.at });
      return [];
    });
    groups.push({ client, targets });
  }
  return groups;
}

/** A bad bootstrap that the file names is a problem of the file; one that was typed is not. */
async function clientOf(
  input: CheckInput,
  at: Place | undefined,
  problems: LocatedProblem[],
  out: Printer,
  env: CliEnvironment,
): Promise<ClientSetup | undefined> {
  try {
    return await clientFor(input, out, env);
  } catch (error) {
    if (at === undefined || !(error instanceof InputProblem || error instanceof Misuse)) throw error;
    problems.push({ path: [], message: error.message.replaceAll('\n', '; '), ...at });
    return undefined;
  }
}

/** A target's own settings count most, then those that were typed, then those at the top of the file. */
function inputFor(
  check: TargetCheck,
  file: CheckFile,
  path: string,
  input: CheckInput,
): { input: CheckInput; at: Place | undefined } {
  const own = isNamed(check.connecting);
  const top = !own && !isNamed(input) && isNamed(file.connecting);
  const base = {
    ...input,
    nodeId: check.nodeId ?? input.nodeId ?? file.nodeId,
    defaultAuthority: check.defaultAuthority ?? input.defaultAuthority,
  };
  if (!own && !top) return { input: base, at: undefined };
  const { bootstrap, server, plaintext = false, cacert, cert, key } = own ? check.connecting : file.connecting;
  const below = (name: string | undefined): string | undefined => name && resolve(dirname(path), name);
  const files = { bootstrap: below(bootstrap), cacert: below(cacert), cert: below(cert), key: below(key) };
  return { input: { ...base, ...files, server, plaintext }, at: own ? check.connectingAt : file.connectingAt };
}

function isNamed({ bootstrap, server }: { bootstrap?: string | undefined; server?: string | undefined }): boolean {
  return bootstrap !== undefined || server !== undefined;
}
