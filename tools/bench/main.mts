import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundled } from './bundle.ts';
import { clients } from './client/compare.ts';
import type { Figure } from './measure.ts';
import { table, writeFigures } from './readme.ts';
import { recordingCost } from './recording-cost.ts';
import { startUp } from './start-up.ts';

const root = join(import.meta.dirname, '../..');

async function inProcess(name: string): Promise<Figure[]> {
  const { status, stdout } = spawnSync(process.execPath, [await bundled(root, name)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  return JSON.parse(stdout) as Figure[];
}

const figures = [
  ...startUp(root),
  ...(await inProcess('resources')),
  ...(await inProcess('dependencies')),
  ...(await clients(root)),
  ...(await recordingCost(root)),
  ...(await inProcess('replay')),
];
console.log(table(figures));
for (const { what, ratio, goal } of figures)
  if (ratio > goal) console.log(`over its goal: ${what}: ${ratio.toFixed(2)} instead of ${goal}`);
writeFigures(join(root, 'README.md'), figures);
