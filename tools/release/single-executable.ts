import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { NodeVersion } from '../nodes/node-versions.ts';

/** The folders of the package whose files the command line reads. */
const FOLDERS = ['docs', 'fixtures/scenarios/demo', 'fixtures/expectations', 'dist/page'];

/** Writes an executable with Node, the command line and the files of the package. Requires a build. */
export async function writeSingleExecutable(root: string, node: NodeVersion, output: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-release-'));
  try {
    const [main, modules, config] = [join(folder, 'main.cjs'), join(folder, 'modules'), join(folder, 'sea.json')];
    const blob = join(folder, 'sea.blob');
    mkdirSync(modules);
    await build({
      absWorkingDir: root,
      entryPoints: ['src/cli/single-executable.ts'],
      outfile: main,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node24',
      minifySyntax: true,
      minifyWhitespace: true,
    });
    run(node, root, [join(root, 'node_modules/tsx/dist/cli.mjs'), 'tools/release/record-code.mts', modules]);
    const names = [...FOLDERS.flatMap((one) => filesBelow(root, one)), ...filesBelow(folder, 'modules')];
    const assets = names.map((name) => [name, join(name.startsWith('modules/') ? folder : root, name)]);
    const settings = {
      main,
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: Object.fromEntries(assets),
    };
    writeFileSync(config, JSON.stringify(settings));
    run(node, root, ['--experimental-sea-config', config]);
    copyFileSync(node.path, output);
    chmodSync(output, 0o755);
    // Prints warnings about sections that do not matter.
    const inject = [join(root, 'node_modules/postject/dist/cli.js'), output, 'NODE_SEA_BLOB', blob];
    execFileSync(process.execPath, [...inject, '--sentinel-fuse', FUSE], { stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Pictures, and what is not in the package either. */
const UNUSED = /\.(?:svg|png)$|^docs\/benchmarks\.json$/;

/** The place in Node's executable where a blob is announced. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Flags of Node in the environment would change the code that V8 compiles. */
function run({ path }: NodeVersion, root: string, args: string[]): void {
  const { NODE_OPTIONS, ...env } = process.env;
  execFileSync(path, args, { cwd: root, env, stdio: 'pipe' });
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .filter((name) => !UNUSED.test(name));
}
