import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { nodeBuild } from '../../src/io/code-pack.ts';
import { asFunction, packOf } from '../../src/io/pack-bytes.ts';

/** Command lines whose functions the pack contains in compiled form. */
const COMMAND_LINES = [
  ['--help'],
  ['bootstrap', 'validate', 'fixtures/bootstrap/two-servers.json'],
  ['demo', 'healthy'],
  ['replay', 'fixtures/recordings/first-look.xdsrec', 'status'],
  ['replay', 'fixtures/recordings/first-look.xdsrec', 'explain'],
  ['validate', 'fixtures/scenarios/findings/resources'],
];

/** On newer versions of Node, V8 writes the code for the cache of each user (`src/io/code-cache.ts`). */
export function needsPack(): boolean {
  return Number.parseInt(process.versions.node, 10) < 22;
}

/**
 * Writes the modules of the command line with the code that V8 has compiled after some runs, so that users do not wait for
 * V8 to compile it again. Each run starts with the code of the runs before, and adds the functions that it calls.
 */
export async function writeCodePack(root: string): Promise<void> {
  if (needsPack()) await recordCode(root, join(root, 'dist/code.pack'));
}

/** Writes a pack for the build of Node that runs this. */
export async function recordCode(root: string, pack: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-build-'));
  try {
    const recorder = join(folder, 'recorder.cjs');
    await bundleRecorder(root, recorder);
    const sources = moduleSources(root);
    const compiled = new Map<string, Buffer>();
    writePack(pack, sources, compiled);
    for (const argv of COMMAND_LINES) {
      const output = join(folder, 'compiled.json');
      run(root, [recorder, root, pack, output, ...argv]);
      const recorded = JSON.parse(readFileSync(output, 'utf8')) as Record<string, string>;
      for (const [name, code] of Object.entries(recorded)) compiled.set(name, Buffer.from(code, 'base64'));
      writePack(pack, sources, compiled);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundleRecorder(root: string, outfile: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['tools/build/record-code.ts'],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
  });
}

function moduleSources(root: string): Map<string, Buffer> {
  const folder = join(root, 'dist');
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.js') && name !== 'start.js' && name !== 'index.js',
  );
  return new Map(names.map((name) => [name, Buffer.from(asFunction(readFileSync(join(folder, name), 'utf8')))]));
}

function run(root: string, args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
  // Exit code 79: the command has found something.
  if (status !== 0 && status !== 79) throw new Error(`${args.join(' ')} ended with ${status}\n${stderr}`);
}

function writePack(path: string, sources: ReadonlyMap<string, Buffer>, compiled: ReadonlyMap<string, Buffer>): void {
  const modules = new Map(
    [...sources].map(([name, source]) => [name, { source, compiled: compiled.get(name) ?? Buffer.alloc(0) }]),
  );
  writeFileSync(path, packOf(nodeBuild(), modules));
}
