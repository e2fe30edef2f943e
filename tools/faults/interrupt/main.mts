/** Measures how long Ctrl-C takes. Requires `npm run build`. `--quick`: one run of each command. A text: only the commands with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { GOAL_MS, interruptTable, measureInterrupts } from './measure.ts';

const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-interrupt-'));
try {
  const { rows, failures, skipped, counts } = await measureInterrupts({
    root: join(import.meta.dirname, '../../..'),
    quick: process.argv.includes('--quick'),
    only: process.argv.slice(2).find((word) => !word.startsWith('--')),
    folder,
    progress: (line) => console.error(line),
  });
  console.log(`\n${interruptTable(rows)}\n`);
  console.log(`goal: ${GOAL_MS} ms; load of the machine: ${loadavg()[0]?.toFixed(1)}`);
  for (const line of skipped) console.log(`skipped: ${line}`);
  for (const line of failures) console.log(`FAILED: ${line}`);
  console.log(
    Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', '),
  );
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
