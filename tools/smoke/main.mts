import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CURRENT,
  HAS_OTHER_VERSIONS,
  installedNode,
  LOWEST,
  type NodeVersion,
  ownNode,
} from '../nodes/node-versions.ts';
import { checkProgram, type Result } from './checks.ts';
import { installInto, packInto } from './installed-package.ts';
import { checkLibrary } from './library.ts';

// Installs the packed package, and runs it on the lowest and on current versions of Node.
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-smoke-'));
let [passed, failed, skipped] = [0, 0, 0];
try {
  const home = installInto(folder, packInto(root, folder));
  const own = ownNode();
  const wanted = [LOWEST, ...Object.values(CURRENT)].filter((version) => version !== own.version);
  const found = HAS_OTHER_VERSIONS ? wanted.map((version) => installedNode(version)) : [];
  skipped = wanted.length - found.filter((one) => one !== undefined).length;
  if (!HAS_OTHER_VERSIONS) console.log(`skipped: ${wanted.join(', ')}: they are installed only on Linux on x64`);
  const pending = [own, ...found.filter((one) => one !== undefined)];
  const lane = async (): Promise<void> => {
    for (let node = pending.shift(); node !== undefined; node = pending.shift()) await checkNode(node, home);
  };
  // Most checks wait for sockets.
  await Promise.all([lane(), lane(), lane()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;

async function checkNode({ version, path }: NodeVersion, home: string): Promise<void> {
  const began = performance.now();
  const own = join(folder, version);
  mkdirSync(own);
  const bin = join(home, 'node_modules/.bin/xds-inspect');
  // Without PATH: whatever the command line starts must be this version of Node.
  const program = { command: [path, bin] as const, folder: own, variables: { HOME: own, TMPDIR: own } };
  const results: Result[] = [...(await checkProgram(program)), ...(await checkLibrary(path, home))];
  const failures = results.filter(({ failure }) => failure !== undefined);
  passed += results.length - failures.length;
  failed += failures.length;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `Node ${version}: ${results.length - failures.length} of ${results.length} checks passed in ${seconds} s`,
  );
  for (const { title, failure } of failures) console.log(`Node ${version}: FAILED: ${title}: ${failure}`);
}
