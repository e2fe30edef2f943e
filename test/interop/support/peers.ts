import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, fingerprint, PEERS } from './cache.js';
import { run } from './run.js';
import type { ToolchainName } from './toolchains.js';

/** How to start a program that this project did not write. */
export type Command = readonly [file: string, ...args: string[]];

interface PeerRecipe {
  /** Its own toolchain; without one, Node is enough. */
  toolchain?: ToolchainName;
  /** Installs and builds it, unless that has been done. */
  prepare(): Promise<Command>;
}

/** A program of the Go module in peers/go. The Go tool keeps what it has downloaded and built. */
function goProgram(name: string): PeerRecipe {
  return {
    toolchain: 'go',
    prepare: async () => {
      const file = join(cacheFolder('go'), name);
      await run('go', ['build', '-mod=readonly', '-o', file, `./${name}`], { cwd: join(PEERS, 'go') });
      return [file];
    },
  };
}

/** A script in peers/python, in an environment that holds what a file of requirements names. */
function pythonScript(script: string, requirements: string): PeerRecipe {
  const folder = join(PEERS, 'python');
  return {
    toolchain: 'python',
    prepare: async () => [await environment(join(folder, requirements)), join(folder, script)],
  };
}

/** The interpreter of an environment with these packages. */
async function environment(list: string): Promise<string> {
  const folder = cacheFolder(`python-${fingerprint(list)}`);
  const interpreter = join(folder, 'bin/python');
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(interpreter, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', list]);
    writeFileSync(done, '');
  }
  return interpreter;
}

/** C-core of another version than the suites use, with nothing else around it. */
export async function otherCCore(version: string): Promise<Command> {
  const list = join(cacheFolder('requirements'), `grpcio-${version}.txt`);
  writeFileSync(list, `grpcio==${version}\n`);
  return [await environment(list), join(PEERS, 'python', 'oracle.py')];
}

/** Every peer, by the name that suites ask for. */
export const PEER_RECIPES = {
  'c-core-app': pythonScript('app.py', 'requirements.txt'),
  'c-core-oracle': pythonScript('oracle.py', 'requirements.txt'),
  'grpc-go-app': goProgram('app'),
} satisfies Record<string, PeerRecipe>;

export type PeerName = keyof typeof PEER_RECIPES;

export function toolchainOf(name: PeerName): ToolchainName | undefined {
  return (PEER_RECIPES[name] as PeerRecipe).toolchain;
}
