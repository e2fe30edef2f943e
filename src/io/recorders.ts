import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CheckedTarget } from '../inspect/expect/target-watch.js';
import type { ClientSetup, Recorder } from '../inspect/source.js';
import { visibleShort } from '../view/visible-text.js';
import { type RecorderEnvironment, type RecordInput, startRecorder } from './recorder.js';

/** `--record`: a recording contains one bootstrap, so each client has its own file. Creates all files or none. */
export async function startRecorders(
  groups: readonly { client: ClientSetup; targets: readonly CheckedTarget[] }[],
  input: Omit<RecordInput, 'record'> & { record: string | undefined },
  out: { env: RecorderEnvironment; remark(sentence: string): void },
): Promise<Recorder[]> {
  const { record: path } = input;
  if (path === undefined) return [];
  const isOne = groups.length === 1 || path === '' || path === '-';
  const started: { recorder: Recorder; record: string; whose: string }[] = [];
  try {
    for (const [i, { client, targets }] of groups.entries()) {
      const record = isOne ? path : numbered(path, i + 1);
      const names = targets.map(({ check }) => visibleShort(check.target)).join(', ');
      const node = visibleShort(client.bootstrap.node?.id ?? '');
      const whose = `${names}, node "${node}", bootstrap from ${visibleShort(client.origin)}`;
      started.push({ recorder: await startRecorder(client, { ...input, record }, out.env), record, whose });
    }
  } catch (error) {
    for (const { recorder, record } of started) {
      recorder.close();
      rmSync(record);
    }
    throw error;
  }
  for (const { record, whose } of isOne ? [] : started) out.remark(`${record}: ${whose}`);
  return started.map(({ recorder }) => recorder);
}

/** `night.xdsrec.gz` → `night.2.xdsrec.gz` */
function numbered(path: string, number: number): string {
  const name = basename(path);
  const dot = name.indexOf('.', 1);
  const end = dot < 0 ? name.length : dot;
  return join(dirname(path), `${name.slice(0, end)}.${number}${name.slice(end)}`);
}
