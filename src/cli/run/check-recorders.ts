import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { visibleShort } from '../../view/visible-text.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import type { Group } from './check-groups.js';
import { type Recorder, startRecorder } from './recorder.js';

/** `--record`: a recording is one client's, since there is one bootstrap in it. Several clients make several files. */
export async function withRecorders(groups: Group[], args: Arguments, env: CliEnvironment): Promise<Group[]> {
  const path = args.record as string | undefined;
  if (path === undefined) return groups;
  const isOne = groups.length === 1 || path === '' || path === '-';
  const paths = groups.map((_, i) => (isOne ? path : numbered(path, i + 1)));
  const recorders = await startAll(groups, paths, env);
  if (!isOne && args.quiet !== true) {
    for (const [i, { targets, prepared }] of groups.entries()) {
      const names = targets.map(({ check }) => visibleShort(check.target)).join(', ');
      const node = visibleShort(prepared.bootstrap.node?.id ?? '');
      env.stderr.write(`${paths[i]}: ${names} as node "${node}", by ${visibleShort(prepared.source)}\n`);
    }
  }
  return groups.map((group, i) => ({ ...group, prepared: { ...group.prepared, recorder: recorders[i] } }));
}

/** All or none: what was begun for nothing is taken away again. */
async function startAll(groups: readonly Group[], paths: readonly string[], env: CliEnvironment): Promise<Recorder[]> {
  const started: { recorder: Recorder; record: string }[] = [];
  try {
    for (const [i, { prepared, args }] of groups.entries()) {
      const record = paths[i] as string;
      const recorder = await startRecorder(prepared, { ...args, record }, env);
      if (recorder !== undefined) started.push({ recorder, record });
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
