import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, PEER_RECIPES, type PeerName, toolchainOf } from '../../tools/peers/peers.ts';
import { type Toolchain, toolchains } from '../../tools/peers/toolchains.ts';
import { SUITES, type Suite } from './suites.ts';
import { COMMANDS_VARIABLE, FIGURES_VARIABLE } from './support/variables.ts';

const ROOT = join(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !SUITES.some((suite) => suite.name.includes(name)));
if (values.help || unknown.length > 0) {
  for (const name of unknown) console.error(`unknown suite: ${name}`);
  console.log(
    'npm run interop [-- [--quick] name…]: tests this project with real peers; a name may be a part of a suite name',
  );
  for (const { name, peers, isQuick } of SUITES)
    console.log(`  ${name}${isQuick ? ' (quick)' : ''}: ${peers.join(', ')}`);
  process.exit(values.help ? 0 : 64);
}

/** A complete name selects that suite; other text selects all suites whose name contains it. */
const isNamed = (name: string, part: string): boolean =>
  SUITES.some((suite) => suite.name === part) ? name === part : name.includes(part);
const chosen = SUITES.filter(
  ({ name, isQuick }) =>
    (!values.quick || isQuick) && (positionals.length === 0 || positionals.some((part) => isNamed(name, part))),
);
const here = toolchains();
for (const { name, version } of here) console.log(`${name}: ${version}`);
const missingFor = (suite: Suite): Toolchain[] =>
  here.filter(({ name, isThere }) => !isThere && suite.peers.some((peer) => toolchainOf(peer) === name));
const skipped = chosen.filter((suite) => missingFor(suite).length > 0);
for (const suite of skipped)
  console.log(
    `skipped: ${suite.name} (${missingFor(suite)
      .map(({ version }) => version)
      .join(', ')})`,
  );
if (skipped.length > 0 && process.env.INTEROP === 'all') {
  console.error('INTEROP=all is set, so no suite may be skipped.');
  process.exit(1);
}

const runnable = chosen.filter((suite) => !skipped.includes(suite));
process.exitCode = runnable.length === 0 ? 0 : runSuites(runnable, await prepare(runnable));

async function prepare(suites: readonly Suite[]): Promise<Partial<Record<PeerName, Command>>> {
  const commands: Partial<Record<PeerName, Command>> = {};
  for (const peer of new Set(suites.flatMap(({ peers }) => peers))) {
    const began = performance.now();
    try {
      commands[peer] = await PEER_RECIPES[peer].prepare();
    } catch (error) {
      console.error(`${peer} cannot be installed or built: ${(error as Error).message}`);
      process.exit(1);
    }
    console.log(`ready: ${peer} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
  return commands;
}

function runSuites(suites: readonly Suite[], commands: Partial<Record<PeerName, Command>>): number {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-interop-'));
  const figures = join(folder, 'figures');
  writeFileSync(figures, '');
  const files = suites.map(({ name }) => `suites/${name}.interop.ts`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'test/interop/vitest.config.mts', ...files];
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, [COMMANDS_VARIABLE]: JSON.stringify(commands), [FIGURES_VARIABLE]: figures },
  });
  console.log(readFileSync(figures, 'utf8').trimEnd());
  rmSync(folder, { recursive: true });
  return status ?? 1;
}
