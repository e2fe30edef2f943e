import { writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { hasLostAuthority } from '../../engine/lost.js';
import { expectationsFor, type InitSettings, type ServedTarget } from '../../inspect/expect/init.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { inspect } from './inspection.js';
import { reason } from './load-scenario.js';
import { Progress } from './progress.js';
import { settled, timeLimit } from './settling.js';

/** `check --init`: a file from what is served now; nothing is written unless it is all there. */
export async function checkInit(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  if (args.expectations !== undefined)
    throw new Failure(EXIT.usage, `--init writes a file: say where with -f ${args.expectations}, or leave it out`);
  const targets = args.init as string[];
  const inspection = await inspect({ ...args, targets }, env);
  const limit = timeLimit(args, inspection);
  const progress = new Progress(args, env, limit);
  const end = await settled(inspection, limit, env, () => progress.show(inspection));
  progress.clear();
  const snapshot = inspection.snapshot();
  const found = inspection.findings();
  const served = inspection.followed.flatMap((followed, i): ServedTarget[] => {
    const scope = snapshot.find((one) => one.scope === followed.scope);
    const channel = scope?.channels.find((one) => one.target === followed.target);
    if (scope === undefined || channel === undefined) return [];
    const findings = found.filter((finding) => finding.scope === followed.scope);
    return [{ target: targets[i] as string, scope, channel, findings }];
  });
  const isLost = snapshot.some(hasLostAuthority);
  const text = expectationsFor(served, settingsFrom(args), inspection.bootstrap.node?.id);
  inspection.close();
  if (end === 'interrupted') return EXIT.interrupted;
  if (isLost) throw new Failure(EXIT.unavailable, 'no server could be reached: there is nothing to expect');
  if (end === 'timed out') throw new Failure(EXIT.timedOut, 'it did not settle: there is nothing to rely on');
  write(text, args.file as string | undefined, env);
  return EXIT.ok;
}

/** What was typed, with paths as the new file has to say them; what the environment says, it says again. */
function settingsFrom(args: Arguments): InitSettings {
  const folder = args.file === undefined ? '.' : dirname(args.file as string);
  const path = (value: unknown): string => relative(resolve(folder), resolve(value as string));
  return {
    ...(args.bootstrap !== undefined && { bootstrap: path(args.bootstrap) }),
    ...(args.server !== undefined && { server: args.server as string }),
    ...(args.plaintext === true && { plaintext: true }),
    ...(args.cacert !== undefined && { cacert: path(args.cacert) }),
    ...(args.cert !== undefined && { cert: path(args.cert) }),
    ...(args.key !== undefined && { key: path(args.key) }),
    nodeId: args.nodeId as string | undefined,
    defaultAuthority: args.defaultAuthority as string | undefined,
  };
}

function write(text: string, path: string | undefined, env: CliEnvironment): void {
  if (path === undefined) {
    env.stdout.write(text);
    return;
  }
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it exists already, and is left alone' : `cannot be written: ${reason(error)}`;
    throw new Failure(EXIT.usage, `${path}: ${why}`);
  }
  env.stderr.write(`${path} is written: xds-inspect check ${path}\n`);
}
