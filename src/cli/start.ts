import nodeModule from 'node:module';
import { join } from 'node:path';
import { CodeCache, isSet } from '../io/code-cache.js';
import { CodePack, nodeBuild } from '../io/code-pack.js';
import { PackedModules } from '../io/packed-modules.js';
import { tuneCompiler } from '../io/tune-compiler.js';
import type { runProcess } from './process.js';

interface CommandLineModule {
  runProcess: typeof runProcess;
}

/** Changes with the modules in `dist`. */
declare const BUILD_ID: string;
/** The Node that has written `code.pack`; empty if the package has none. */
declare const PACK_NODE: string;

/**
 * Starts the command line with code that V8 has compiled before, because compiling takes a third of the time of a short
 * run. For the Node that built the package, the build keeps that code in a pack; otherwise each user has a cache.
 * @param entry The file in `bin`.
 */
export function start(entry: string): void {
  loadCommandLine().runProcess(entry, tuneCompiler);
}

function loadCommandLine(): CommandLineModule {
  if (!isSet(process.env.XDS_INSPECT_NO_CACHE)) {
    const modules = packedModules() ?? cachedModules();
    if (modules !== undefined) return modules.require('./cli.js') as CommandLineModule;
  }
  // A variable, so that the bundle does not contain the module.
  const path = './cli.js';
  return require(path) as CommandLineModule;
}

function packedModules(): PackedModules | undefined {
  if (nodeBuild() !== PACK_NODE) return undefined;
  const pack = CodePack.open(join(__dirname, 'code.pack'), PACK_NODE);
  return pack === undefined ? undefined : new PackedModules((name) => pack.read(name), __dirname, require);
}

function cachedModules(): PackedModules | undefined {
  const { env: variables, execArgv: flags } = process;
  const cache = CodeCache.of({ variables, flags, userId: process.geteuid?.() }, BUILD_ID, __dirname);
  if (cache === undefined) {
    // Node's own cache, in Node 22.1 and newer.
    (nodeModule as { enableCompileCache?: () => unknown }).enableCompileCache?.();
    return undefined;
  }
  process.on('exit', (code) => {
    // Not after a crash.
    if (code !== CRASHED) cache.save(process.uptime());
  });
  return cache.modules(require);
}

const CRASHED = 1;
