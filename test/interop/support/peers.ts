import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** A program that is installed as people install it, at a version. */
function goTool(path: string, version: string): PeerRecipe {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    toolchain: 'go',
    prepare: async () => {
      const folder = cacheFolder(`go-${name}-${version}`);
      const file = join(folder, name);
      if (!existsSync(file))
        await run('go', ['install', `${path}@${version}`], { env: { ...process.env, GOBIN: folder } });
      return [file];
    },
  };
}

/** A program of its own Maven project in peers/java; built anew when it has changed. */
function javaProgram(name: string, main: string): PeerRecipe {
  return {
    toolchain: 'java',
    prepare: async () => {
      const project = join(PEERS, 'java', name);
      const sources = readdirSync(project, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();
      const folder = cacheFolder(`java-${name}-${fingerprint(...sources)}`);
      // Maven writes it last.
      const classpath = join(folder, 'classpath');
      if (!existsSync(classpath)) {
        const goals = ['compile', 'dependency:build-classpath', `-Dmdep.outputFile=${classpath}`];
        await run('mvn', ['-q', '-B', `-DbuildDirectory=${folder}`, ...goals], { cwd: project });
      }
      // A small machine starts it sooner without the costly compiler and collector.
      const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
      return ['java', ...quick, '-cp', `${join(folder, 'classes')}:${readFileSync(classpath, 'utf8').trim()}`, main];
    },
  };
}

/** A script in peers/node, with what this project has installed for itself. */
function nodeScript(script: string): PeerRecipe {
  return { prepare: async () => [process.execPath, join(PEERS, 'node', script)] };
}

/** A program that a Python package brings along. */
function pythonProgram(name: string, requirements: string): PeerRecipe {
  return { toolchain: 'python', prepare: async () => [join(dirname(await python(requirements)), name)] };
}

/** A script in peers/python, in an environment that holds what a file of requirements names. */
function pythonScript(script: string, requirements: string): PeerRecipe {
  return { toolchain: 'python', prepare: async () => [await python(requirements), join(PEERS, 'python', script)] };
}

async function python(requirements: string): Promise<string> {
  const list = join(PEERS, 'python', requirements);
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

/** Every peer, by the name that suites ask for. */
export const PEER_RECIPES = {
  'c-core-app': pythonScript('app.py', 'requirements.txt'),
  'grpc-go-app': goProgram('app'),
  'grpc-java-app': javaProgram('app', 'App'),
  'grpc-js-xds-app': nodeScript('app.mjs'),
  envoy: pythonProgram('envoy', 'envoy-requirements.txt'),
  grpcurl: goTool('github.com/fullstorydev/grpcurl/cmd/grpcurl', 'v1.9.4'),
} satisfies Record<string, PeerRecipe>;

export type PeerName = keyof typeof PEER_RECIPES;

export function toolchainOf(name: PeerName): ToolchainName | undefined {
  return (PEER_RECIPES[name] as PeerRecipe).toolchain;
}
