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
  /** Returns when the process has exited, so that it takes no CPU time from the next one. */
  end(): Promise<void>;
}

/** A client that subscribes to every resource of the control plane. */
export interface Contender {
  name: string;
  /** The largest number of clusters that does not take it minutes. */
  upTo: number;
  start(plane: Plane): Promise<Running>;
}

const ANY = Number.POSITIVE_INFINITY;

/** The client library without the command line. */
export const OURS = 'xds-inspect';
export const COMMAND = '`xds-inspect watch`';
export const ALONE = 'grpc-go, XdsClient alone';

/** All clients that can run here, ours first. */
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

/** The installed command; its output is discarded. */
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
