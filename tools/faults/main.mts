import { join } from 'node:path';
import { table } from '../bench/markdown.ts';
import { readArguments } from './arguments.ts';
import { programs } from './programs.ts';
import { runSuite } from './run-suite.ts';
import { SUITES } from './suites.ts';

const root = join(import.meta.dirname, '../..');
const args = readArguments(process.argv.slice(2), SUITES);
if ('text' in args) {
  console[args.exit === 0 ? 'log' : 'error'](args.text);
  process.exit(args.exit);
}

const { quick, seed, only } = args;
const progress = (line: string): void => console.error(line);
// Before the first suite, because it starts processes.
await programs(root);

// Users cannot act on Node's warnings about deprecated calls in dependencies.
process.noDeprecation = true;

const rows: string[][] = [];
const failures: string[] = [];
for (const suite of SUITES) {
  if (only.length > 0 ? !only.includes(suite.name) : quick && !suite.quick) continue;
  progress(`${suite.name}: ${suite.summary}`);
  const start = performance.now();
  const result = await runSuite(suite, { root, quick, seed, progress });
  const seconds = Math.round((performance.now() - start) / 1000);
  if (result.table !== undefined) console.log(`\n${result.table}\n`);
  for (const line of result.notes ?? []) console.log(`${suite.name}: ${line}`);
  for (const line of result.skipped ?? []) console.log(`${suite.name}: skipped: ${line}`);
  for (const line of result.failures) console.log(`${suite.name}: FAILED: ${line}`);
  failures.push(...result.failures);
  const counts = Object.entries(result.counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  rows.push([suite.name, counts.join(', '), String(result.failures.length), `${seconds} s`]);
}
console.log(`\n${table(['suite', 'counts', 'failures', 'time'], rows)}\n\nseed ${seed}${quick ? ', quick' : ''}`);
process.exitCode = failures.length > 0 ? 1 : 0;
