import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Figure } from './measure.ts';
import { table, writeFigures } from './readme.ts';
import { startUp } from './start-up.ts';

const root = join(import.meta.dirname, '../..');

/** What is measured inside a process is bundled as the package is, and runs in a bare Node: a loader makes functions slow. */
async function bundled(name: string): Promise<Figure[]> {
  const outfile = join(root, `node_modules/.cache/bench/${name}.mjs`);
  await build({
    entryPoints: [join(root, `tools/bench/${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@grpc/*'],
    logLevel: 'error',
  });
  const { status, stdout } = spawnSync(process.execPath, [outfile], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  return JSON.parse(stdout) as Figure[];
}

const figures = [...startUp(root), ...(await bundled('resources'))];
console.log(table(figures));
for (const { what, ratio, goal } of figures)
  if (ratio > goal) console.log(`over its goal: ${what}: ${ratio.toFixed(2)} instead of ${goal}`);
writeFigures(join(root, 'README.md'), figures);
