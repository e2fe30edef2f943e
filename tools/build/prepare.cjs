/**
 * The `prepare` script of the package: npm runs it in the clone that it makes to install the package from a git repository, where
 * `dist` is missing. In a working copy with a build it does nothing.
 */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');

function npm(...args) {
  // With `npm install --global`, npm passes its flag on, and would not install the devDependencies of this folder.
  const env = { ...process.env, npm_config_global: 'false', npm_config_location: 'project' };
  const shell = process.platform === 'win32';
  // The output of a script would become that of `npm pack`, which is the name of a file.
  const { status } = spawnSync('npm', args, { cwd: root, env, shell, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(root, 'dist/start.js'))) {
  if (!existsSync(join(root, 'node_modules/esbuild')))
    npm('ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund');
  npm('run', '--silent', 'build');
}
