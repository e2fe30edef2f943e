import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packs the build into a folder. Returns the path of the tarball. */
export function packInto(root: string, folder: string): string {
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'ignore' });
  const name = readdirSync(folder).find((one) => one.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack wrote no tarball');
  return join(folder, name);
}

/** Installs a tarball as a user does. Returns the folder with the `node_modules`. */
export function installInto(folder: string, tarball: string): string {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private": true}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: home, stdio: 'ignore' });
  return home;
}
