import { writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, UsageError } from '../../base/failure.js';
import { hasLostAuthority } from '../../engine/lost-servers.js';
import { expectationsFor, type InitSettings, servedTargets } from '../../inspect/expect/init.js';
import type { NewFile } from '../../inspect/expect/new-file.js';
import { reason } from '../../io/file-problem.js';
import type { CheckInput } from '../commands/check.js';
import type { Printer } from '../printer.js';
import { showLive } from './connect.js';
import { type ViewOf, waitUntilSettled } from './show.js';

/** `check --init`: writes expectations from the current configuration, if it has settled completely. */
export async function checkInit(input: CheckInput, out: Printer): Promise<ExitCode> {
  const { expectations, init: targets } = input;
  if (expectations !== undefined)
    throw new UsageError(`--init excludes an expectations file: use -f ${expectations} to write to it`);
  if (input.output === 'html' || input.output === 'sarif')
    throw new UsageError(`-o ${input.output} excludes --init: it prints expectations`);
  const viewOf: ViewOf = (inspection) => ({
    ...waitUntilSettled(inspection, input.timeout),
    print: async (result) => {
      if (result.ending === 'interrupted') return {};
      if (result.snapshot.some(hasLostAuthority))
        throw new Failure(EXIT.unavailable, 'no expectations written: no xDS server could be reached');
      if (result.ending === 'timed out')
        throw new Failure(EXIT.timedOut, 'no expectations written: the configuration did not settle');
      const served = servedTargets(targets, result, inspection.targets);
      await write(expectationsFor(served, settingsFrom(input)), input.file, out);
      return {};
    },
  });
  return await showLive({ ...input, targets }, out.env, () => viewOf);
}

/** The typed flags as settings of the new file, with paths relative to it. The environment is not part of the file. */
function settingsFrom({ file, bootstrap, plaintext, insecure, cacert, cert, key, ...input }: CheckInput): InitSettings {
  const { server, kube, kubeContext, kubeconfig, authority, tokenFile } = input;
  const folder = resolve(file === undefined ? '.' : dirname(file));
  const path = (name: string): string => relative(folder, resolve(name));
  return {
    ...(bootstrap !== undefined && { bootstrap: path(bootstrap) }),
    ...(server !== undefined && { server }),
    ...(kube !== undefined && { kube }),
    ...(kubeContext !== undefined && { kubeContext }),
    ...(kubeconfig !== undefined && { kubeconfig: path(kubeconfig) }),
    ...(plaintext && { plaintext }),
    ...(insecure && { insecure }),
    ...(cacert !== undefined && { cacert: path(cacert) }),
    ...(cert !== undefined && { cert: path(cert) }),
    ...(key !== undefined && { key: path(key) }),
    ...(authority !== undefined && { authority }),
    ...(tokenFile !== undefined && { tokenFile: path(tokenFile) }),
    nodeId: input.nodeId,
    defaultAuthority: input.defaultAuthority,
  };
}

async function write(document: NewFile, path: string | undefined, out: Printer): Promise<void> {
  if (path === undefined) return await out.print('expectations', 'yaml', document);
  const text = await out.text('expectations', 'yaml', document);
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'file exists and is not overwritten' : `cannot be written: ${reason(error)}`;
    throw new UsageError(`${path}: ${why}`);
  }
  out.printLine(`wrote ${path}; run: xds-inspect check ${path}`);
}
