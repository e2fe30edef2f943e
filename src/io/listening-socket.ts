import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { EXIT } from '../base/exit-codes.js';
import { Failure } from '../base/failure.js';

/** A TCP port that is not available, with the reason. */
export class BindFailure extends Failure {
  constructor(message: string) {
    super(EXIT.unavailable, message);
  }
}

/** The flags that choose another port or address, for error messages. */
interface ListeningFlags {
  port: string;
  host: string;
}

const SERVE_FLAGS: ListeningFlags = { port: '--port', host: '--host' };

/** Reserves a port, 0 for a free one, until `release` is called. */
export async function reservePort(
  host: string,
  port: number,
  flags = SERVE_FLAGS,
): Promise<{ port: number; release: () => Promise<void> }> {
  if (port > MAX_PORT) throw new BindFailure(`port ${port} is out of range: choose a lower one with ${flags.port}`);
  const { socket, port: got } = await listen(host, port, (connection) => connection.destroy(), flags);
  return { port: got, release: () => new Promise((done) => socket.close(() => done())) };
}

const MAX_PORT = 65_535;

/**
 * Accepts connections on a port until stopped. Stopping resets all connections, as the end of a process does.
 * `maxConnections`: one more closes the oldest, so that connections that nobody uses do not keep others out.
 */
export async function acceptConnections(
  host: string,
  port: number,
  onConnection: (connection: Socket) => void,
  flags = SERVE_FLAGS,
  maxConnections = Number.POSITIVE_INFINITY,
): Promise<() => void> {
  const connections = new Set<Socket>();
  const accept = (connection: Socket): void => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => {});
    const [oldest] = connections;
    if (connections.size > maxConnections && oldest !== undefined) {
      connections.delete(oldest);
      oldest.resetAndDestroy();
    }
    onConnection(connection);
  };
  const { socket } = await listen(host, port, accept, flags);
  return () => {
    socket.close();
    for (const connection of connections) connection.resetAndDestroy();
  };
}

function listen(
  host: string,
  port: number,
  onConnection: (connection: Socket) => void,
  flags: ListeningFlags,
): Promise<{ socket: NetServer; port: number }> {
  return new Promise((resolve, reject) => {
    const socket = createServer(onConnection);
    socket.once('error', (error) => reject(bindFailure(host, port, error, flags)));
    socket.listen(port, host, () => resolve({ socket, port: (socket.address() as { port: number }).port }));
  });
}

export function bindFailure(host: string, port: number, error: Error, flags: ListeningFlags): BindFailure {
  return new BindFailure(explain(host, port, error, flags));
}

function explain(host: string, port: number, error: NodeJS.ErrnoException, flags: ListeningFlags): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} on ${host} is already in use: stop the process that uses it, or choose another with ${flags.port} (0 selects a free one)`;
  if (error.code === 'EACCES') return `not allowed to listen on port ${port}: choose one above 1023 with ${flags.port}`;
  if (error.code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine: choose another with ${flags.host}`;
  return `cannot listen on ${host}:${port}: ${error.message}`;
}
