import nodeModule from 'node:module';
import { join } from 'node:path';
import { CodePack } from '../io/code-pack.js';
import { PackedModules } from '../io/packed-modules.js';
import { tuneCompiler } from '../io/tune-compiler.js';
import type { runProcess } from './process.js';

interface CommandLineModule {
  runProcess: typeof runProcess;
}

/**
 * Starts the command line with code that V8 has compiled before, because compiling takes a third of the time of a short
 * run. Newer versions of Node keep such code in a folder for temporary files. For Node 20, the build keeps it in a pack.
 * @param entry The file in `bin`.
 */
export function start(entry: string): void {
  loadCommandLine().runProcess(entry, tuneCompiler);
}

function loadCommandLine(): CommandLineModule {
  if ((process.env.XDS_INSPECT_NO_CACHE ?? '') === '') {
    const pack = CodePack.open(join(__dirname, 'code.pack'));
    if (pack !== undefined) return new PackedModules(pack, __dirname, require).require('./cli.js') as CommandLineModule;
    // Node 22.1 and newer.
    (nodeModule as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  }
  // A variable, so that the bundle does not contain the module.
  const path = './cli.js';
  return require(path) as CommandLineModule;
}
