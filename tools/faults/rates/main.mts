/**
 * Measures memory at a fixed rate of updates. Requires `npm run build`.
 * `main.mts [seconds, default 600] [updates per second, default 5000] [the name of one command]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { table } from '../../bench/markdown.ts';
import { FLAT_MIB, measureRates, RATE_HEAD, rateCells } from './measure.ts';

const [seconds = '600', perSecond = '5000', only] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-rates-'));
try {
  const { rows, failures, skipped } = await measureRates({
    root: join(import.meta.dirname, '../../..'),
    seconds: Number(seconds),
    perSecond: Number(perSecond),
    only,
    folder,
    progress: (line) => console.error(line),
  });
  console.log(`\n${table(RATE_HEAD, rows.map(rateCells))}\n`);
  console.log(`flat: less than ${FLAT_MIB} MiB in ten minutes; load of the machine: ${loadavg()[0]?.toFixed(1)}`);
  for (const line of skipped) console.log(`skipped: ${line}`);
  for (const line of failures) console.log(`FAILED: ${line}`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
