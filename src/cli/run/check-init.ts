import { writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, Misuse } from '../../base/failure.js';
import { hasLostAuthority } from '../../engine/lost.js';
import { expectationsFor, type InitSettings, type ServedTarget } from '../../inspect/expect/init.js';
import { defaultTimeLimit, settled } from '../../inspect/settled.js';
import { reason } from '../../io/file-problem.js';
import type { CheckInput } from '../commands/check.js';
import type { CliEnvironment } from '../environment.js';
import type { Printer } from '../printer.js';
import { connect } from './connect.js';
import { show } from './show.js';

/** `check --init`: a file from what is served now; nothing is written unless all of it is there. */
export async function checkInit(input: CheckInput, out: Printer, env: CliEnvironment): Promise<ExitCode> {
  const { expectations, init: targets } = input;
  if (expectations !== undefined)
    throw new Misuse(`--init writes a file: say where with -f ${expectations}, or leave it out`);
  const inspection = await connect({ ...input, targets }, out, env);
  return await show(
    inspection,
    {
      condition: settled(inspection),
      limit: input.timeout ?? defaultTimeLimit(inspection),
      progress: (line) => line.show(inspection),
      finish: (ending) => {
        const snapshot = inspection.snapshot();
        const found = inspection.findings();
        const served = inspection.targets.flatMap((followed, i): ServedTarget[] => {
          const scope = snapshot.find((one) => one.scope === followed.scope);
          const channel = scope?.channels.find((one) => one.target === followed.target);
          if (scope === undefined || channel === undefined) return [];
          const findings = found.filter((finding) => finding.scope === followed.scope);
          return [{ target: targets[i] as string, scope, channel, findings }];
        });
        const isLost = snapshot.some(hasLostAuthority);
        return async () => {
          if (ending === 'interrupted') return EXIT.interrupted;
          if (isLost) throw new Failure(EXIT.unavailable, 'no server could be reached: there is nothing to expect');
          if (ending === 'timed out') {
            throw new Failure(EXIT.timedOut, 'it did not settle: there is nothing to rely on');
          }
          const text = expectationsFor(served, settingsFrom(input), inspection.bootstrap.node?.id);
          await write(text, input.file, out);
          return EXIT.ok;
        };
      },
    },
    input,
    out,
    env,
  );
}

/** What was typed, with paths as the new file has to name them; what the environment says, it says again. */
function settingsFrom({ file, bootstrap, server, plaintext, cacert, cert, key, ...input }: CheckInput): InitSettings {
  const folder = resolve(file === undefined ? '.' : dirname(file));
  const path = (name: string): string => relative(folder, resolve(name));
  return {
    ...(bootstrap !== undefined && { bootstrap: path(bootstrap) }),
    ...(server !== undefined && { server }),
    ...(plaintext && { plaintext }),
    ...(cacert !== undefined && { cacert: path(cacert) }),
    ...(cert !== undefined && { cert: path(cert) }),
    ...(key !== undefined && { key: path(key) }),
    nodeId: input.nodeId,
    defaultAuthority: input.defaultAuthority,
  };
}

async function write(text: string, path: string | undefined, out: Printer): Promise<void> {
  if (path === undefined) {
    await out.print('expectations', 'yaml', text);
    return;
  }
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it exists already, and is left alone' : `cannot be written: ${reason(error)}`;
    throw new Misuse(`${path}: ${why}`);
  }
  out.say(`${path} is written: xds-inspect check ${path}`);
}
