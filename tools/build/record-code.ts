import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { CodePack, nodeBuild } from '../../src/io/code-pack.ts';
import { PackedModules } from '../../src/io/packed-modules.ts';

/**
 * Runs a command line from the pack, and writes the code that V8 has compiled when it ends.
 * Arguments: the package, the pack, the file for the code of the modules, the command line.
 */
const [root = '', path = '', output = '', ...argv] = process.argv.slice(2);
const scripts = new Map<string, Script>();
const pack = CodePack.open(path, nodeBuild());
if (pack === undefined) throw new Error('the pack cannot be read');
const modules = new PackedModules(
  (name) => pack.read(name),
  join(root, 'dist'),
  require,
  (name, { script }) => scripts.set(name, script),
);
process.on('exit', () => {
  const compiled = [...scripts].map(([name, script]) => [name, script.createCachedData().toString('base64')]);
  writeFileSync(output, JSON.stringify(Object.fromEntries(compiled)));
});
const entry = join(root, 'bin/xds-inspect.js');
process.argv = [process.execPath, entry, ...argv];
// Without the tuning: V8 accepts only code that was compiled with the same flags.
(modules.require('./cli.js') as typeof import('../../src/cli/process.ts')).runProcess(entry, () => {});
