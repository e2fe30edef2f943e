import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PeerProcess } from '../../peers/peer-process.ts';
import type { Command } from '../../peers/peers.ts';
import { bundled } from '../bundle.ts';
import { LISTENER } from '../client/listener.ts';
import type { Builds } from './builds.ts';
import type { Plane } from './plane.ts';

const TARGET = `xds:///${LISTENER}`;

interface Running {
  pid: number | undefined;
  /** Returns when the process is gone: it should take no time from the next one. */
  end(): Promise<void>;
}

/** A client that follows everything on the control plane. */
export interface Contender {
  name: string;
  /** More clusters would take it minutes. */
  upTo: number;
  start(plane: Plane): Promise<Running>;
}

const ANY = Number.POSITIVE_INFINITY;

/** The client alone, as a program uses it. */
export const OURS = 'xds-inspect';
export const COMMAND = '`xds-inspect watch`';
export const ALONE = 'grpc-go, XdsClient alone';

/** All that can be run here, ours first. */
export async function contenders(root: string, { commands }: Builds): Promise<Contender[]> {
  const [ours, nodePeer] = await Promise.all([bundled(root, 'client/ours'), bundled(root, 'client/peer')]);
  const node = async (...args: string[]): Promise<Running> => spawned([process.execPath, ...args]);
  const ofPeer = (command: Command | undefined, name: string, upTo: number, isChannel: boolean): Contender[] =>
    command === undefined ? [] : [{ name, upTo, start: (plane) => application(command, plane, isChannel) }];
  const xdsClient = commands['bench-xdsclient'];
  return [
    { name: OURS, upTo: ANY, start: ({ address }) => node(ours, address, join(root, 'dist')) },
    { name: COMMAND, upTo: ANY, start: async (plane) => watchCommand(root, plane) },
    ...ofPeer(xdsClient, ALONE, ANY, false),
    ...ofPeer(xdsClient && [...xdsClient, 'manager'], 'grpc-go, XdsClient and dependency manager', 3000, false),
    ...ofPeer(commands['grpc-go-app'], 'grpc-go, channel', 3000, true),
    ...ofPeer(commands['c-core-app'], 'C-core (grpcio), channel', 3000, true),
    { name: '@grpc/grpc-js-xds, channel', upTo: 1000, start: ({ address }) => node(nodePeer, address, 'channel') },
  ];
}

/** The command as it is installed; whatever it prints is thrown away. */
function watchCommand(root: string, { bootstrap }: Plane): Running {
  return spawned([process.execPath, join(root, 'bin/xds-inspect.js'), 'watch', TARGET], {
    GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap,
  });
}

async function application(command: Command, { bootstrap }: Plane, isChannel: boolean): Promise<Running> {
  const { peer } = await PeerProcess.start(command, { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap });
  if (isChannel) await peer.ask({ op: 'connect', target: TARGET });
  return {
    pid: peer.pid,
    end: async () => {
      peer.kill();
      await gone(peer.pid);
    },
  };
}

async function gone(pid: number | undefined): Promise<void> {
  while (pid !== undefined && isAlive(pid)) await new Promise((wake) => setTimeout(wake, 5));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function spawned([file = '', ...args]: string[], env: Record<string, string> = {}): Running {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } });
  return { pid: child.pid, end: () => ended(child) };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
