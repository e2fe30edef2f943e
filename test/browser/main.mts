import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/browser/chromium.ts';
import { SUITES } from './suites.ts';

const ROOT = join(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((part) => !SUITES.some(({ name }) => name.includes(part)));
if (values.help || unknown.length > 0) {
  for (const name of unknown) console.error(`unknown suite: ${name}`);
  console.log(
    'npm run browser [-- [--quick] name…]: tests the report page in Chromium; a name may be part of a suite name',
  );
  for (const { name, isQuick } of SUITES) console.log(`  ${name}${isQuick ? ' (quick)' : ''}`);
  process.exit(values.help ? 0 : 64);
}
const chosen = SUITES.filter(
  ({ name, isQuick }) =>
    (!values.quick || isQuick) && (positionals.length === 0 || positionals.some((part) => name.includes(part))),
);

const found = findChromium();
if ('missing' in found) {
  console.log(`skipped: all browser tests (${found.missing})`);
  process.exit(process.env.BROWSER === 'all' ? 1 : 0);
}
console.log(found.version);
const files = chosen.map(({ name }) => `test/browser/${name}.browser.ts`);
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'test/browser/vitest.config.mts', ...files],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, CHROME_PATH: found.path } },
);
process.exitCode = status ?? 1;
