import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Recorder } from '../../inspect/source.js';
import { startRecorder } from '../../io/recorder.js';
import { visibleShort } from '../../view/visible-text.js';
import type { CheckInput } from '../commands/check.js';
import type { CliEnvironment } from '../environment.js';
import type { Printer } from '../printer.js';
import type { Group } from './check-groups.js';

/** `--record`: a recording holds one bootstrap, so each client has a file of its own. */
export async function startRecorders(
  groups: readonly Group[],
  input: CheckInput,
  out: Printer,
  env: CliEnvironment,
): Promise<(Recorder | undefined)[]> {
  const { record: path } = input;
  if (path === undefined) return [];
  const isOne = groups.length === 1 || path === '' || path === '-';
  const paths = groups.map((_, i) => (isOne ? path : numbered(path, i + 1)));
  const recorders = await startAll(groups, paths, input, env);
  if (isOne) return recorders;
  for (const [i, { targets, client }] of groups.entries()) {
    const names = targets.map(({ check }) => visibleShort(check.target)).join(', ');
    const node = visibleShort(client.bootstrap.node?.id ?? '');
    out.remark(`${paths[i]}: ${names} as node "${node}", by ${visibleShort(client.origin)}`);
  }
  return recorders;
}

/** All or none: files that were started for nothing are removed. */
async function startAll(
  groups: readonly Group[],
  paths: readonly string[],
  input: CheckInput,
  env: CliEnvironment,
): Promise<Recorder[]> {
  const started: { recorder: Recorder; record: string }[] = [];
  try {
    for (const [i, record] of paths.entries()) {
      const { client } = groups[i] as Group;
      started.push({ recorder: await startRecorder(client, { ...input, record }, env), record });
    }
  } catch (error) {
    for (const { recorder, record } of started) {
      recorder.close();
      rmSync(record);
    }
    throw error;
  }
  return started.map(({ recorder }) => recorder);
}

/** `night.xdsrec.gz` → `night.2.xdsrec.gz` */
function numbered(path: string, number: number): string {
  const name = basename(path);
  const dot = name.indexOf('.', 1);
  const end = dot < 0 ? name.length : dot;
  return join(dirname(path), `${name.slice(0, end)}.${number}${name.slice(end)}`);
}
