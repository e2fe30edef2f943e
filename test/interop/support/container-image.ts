import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../../../tools/peers/run.js';
import { later } from '../../support/clean-up.js';
import { buildContext, dockerfileStages, type Instruction, type Stage } from '../../support/dockerfile.js';
import { ROOT } from '../../support/root.js';
import { commandOf } from './built-peers.js';

/** What an engine needs to start a container of an image. */
export interface Image {
  root: string;
  env: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: string[];
}

/** The tools that the last stage runs, besides Node. */
const TOOLS = ['/bin/sh', '/bin/rm', '/usr/bin/env'];

/**
 * Builds the image of the Dockerfile without a container engine: runs its instructions in temporary root folders. The first stage
 * sees the files of this machine through an overlay, with the Node of the image; the last one only Node and what it needs to start.
 */
export async function buildImage(folder: string): Promise<Image> {
  const [first, last] = dockerfileStages() as [Stage, Stage];
  const [node] = commandOf('node-24');
  const context = join(folder, 'context');
  for (const name of buildContext()) cpSync(join(ROOT, name), join(context, name), { recursive: true });

  const parts = { upper: join(folder, 'upper'), work: join(folder, 'work'), merged: join(folder, 'merged') };
  for (const path of Object.values(parts)) mkdirSync(path);
  const root = parts.merged;
  const mounts = [
    `mount -t overlay overlay -o lowerdir=/,upperdir=${parts.upper},workdir=${parts.work} ${root}`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t proc proc ${root}/proc`,
    `mount --bind ${node} ${root}${realpathSync(process.execPath)}`,
  ];
  await runStage(first, {
    root,
    copies: { context },
    mounts,
    env: { PATH: `${dirname(process.execPath)}:${HOST_PATH}`, HOME: '/root' },
  });

  const image = minimalRoot(join(folder, 'image'), node);
  const copies = { context, [first.name ?? '']: parts.upper };
  return await runStage(last, { root: image, copies, mounts: [], env: { PATH: IMAGE_PATH, HOME: '/' } });
}

const HOST_PATH = '/usr/local/bin:/usr/bin:/bin';
const IMAGE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A root folder with Node, where the official image has it, a package manager to remove, and the libraries of both. */
function minimalRoot(root: string, node: string): string {
  for (const name of ['tmp', 'proc', 'dev', 'etc', 'usr/local/lib/node_modules/npm', 'opt/yarn-v1'])
    mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  writeFileSync(join(root, 'usr/local/lib/node_modules/npm/index.js'), '');
  const copy = (from: string, to = from): void => cpSync(from, join(root, to), { dereference: true });
  copy(node, '/usr/local/bin/node');
  for (const tool of TOOLS) copy(tool);
  for (const file of [node, ...TOOLS]) for (const library of librariesOf(file)) copy(library);
  return root;
}

function librariesOf(file: string): string[] {
  return execFileSync('ldd', [file], { encoding: 'utf8' }).match(/\/\S+(?= \(0x)/g) ?? [];
}

interface StageOptions {
  root: string;
  /** The folders that COPY copies from. */
  copies: { context: string } & Record<string, string>;
  mounts: string[];
  env: Record<string, string>;
}

/** Runs the instructions of a stage as one script, because its mounts end with it. */
async function runStage({ instructions }: Stage, options: StageOptions): Promise<Image> {
  const image: Image = { root: options.root, env: { ...options.env }, workdir: '/', user: '0:0', entrypoint: [] };
  const script = ['set -e', ...options.mounts, ...instructions.map((one) => scriptOf(one, image, options))];
  const file = `${options.root}.sh`;
  writeFileSync(file, script.join('\n'));
  await run('unshare', ['--mount', 'sh', file]);
  return image;
}

/** The command for an instruction; some only change the settings of the image. */
function scriptOf({ keyword, text, from }: Instruction, image: Image, { root, copies }: StageOptions): string {
  const words = text.split(' ');
  switch (keyword) {
    case 'WORKDIR':
      image.workdir = text;
      return `mkdir -p ${root}${text}`;
    case 'ENV': {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
      image.env[name] = value.replaceAll(/\$(\w+)/g, (_, variable: string) => image.env[variable] ?? '');
      return '';
    }
    case 'COPY': {
      const source = copies[from ?? 'context'];
      const to = words.pop() ?? '';
      const target = to.startsWith('/') ? `${root}${to}` : `${root}${image.workdir}/${to}`;
      // Engines create the folders of the target, and copy the contents of a folder.
      const isFolder = words.length > 1 || to.endsWith('/') || words[0] === '.';
      const made = `mkdir -p ${isFolder ? target : dirname(target)}`;
      return `${made}; ${words.map((word) => `cp -a ${join(source ?? '', word)}${word === '.' ? '/.' : ''} ${target}`).join('; ')}`;
    }
    case 'RUN': {
      const env = Object.entries(image.env).map(([name, value]) => `${name}=${value}`);
      return `chroot ${root} /usr/bin/env -i ${env.join(' ')} /bin/sh -c ${quoted(`cd ${image.workdir} && ${text}`)}`;
    }
    case 'USER':
      image.user = text;
      return '';
    case 'ENTRYPOINT':
      image.entrypoint = JSON.parse(text);
      return '';
    case 'LABEL':
      return '';
    default:
      throw new Error(`the interop suite cannot execute ${keyword}`);
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export interface Container {
  /** Its PID 1, as this machine numbers it. */
  pid(): number;
  stdout: string;
  stderr: string;
  code: Promise<number>;
}

interface ContainerOptions {
  env?: Record<string, string>;
  /** A folder of this machine, which is mounted at /work. */
  work?: string;
}

/** Starts a container: the entrypoint is PID 1 and has the user of the image, a read-only root, and the network of this machine. */
export function startContainer(
  image: Image,
  args: readonly string[],
  { env = {}, work }: ContainerOptions = {},
): Container {
  const variables = Object.entries({ ...image.env, ...env }).map(([name, value]) => `${name}=${value}`);
  const { root, workdir, user, entrypoint } = image;
  const script = [
    'set -e',
    `mount --rbind ${root} ${root}`,
    `mount -t proc proc ${root}/proc`,
    ...(work === undefined
      ? []
      : [`mount --bind ${work} ${root}${workdir}`, `mount -o remount,bind,ro ${root}${workdir}`]),
    `mount -o remount,bind,ro ${root}`,
    `exec chroot --userspec=${user} ${root} /usr/bin/env -i -C ${workdir} "$@"`,
  ];
  const flags = ['--mount', '--pid', '--fork', '--kill-child=SIGKILL'];
  const command = [...variables, ...entrypoint, ...args];
  const child = spawn('unshare', [...flags, 'sh', '-c', script.join('\n'), 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  later(() => child.kill('SIGKILL'));
  const container: Container = {
    pid: () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')),
    stdout: '',
    stderr: '',
    code: new Promise((resolve) => child.on('close', (code) => resolve(code ?? -1))),
  };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (text) => {
      container[name] += text;
    });
  return container;
}
