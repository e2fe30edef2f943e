import { createServer, type Server as NetServer, type Socket } from 'node:net';

/** A TCP port that cannot be had, in one sentence. */
export class BindFailure extends Error {}

/** Takes a port, 0 for a free one, so that nobody else gets it before it is released. */
export async function reservePort(host: string, port: number): Promise<{ port: number; release: () => Promise<void> }> {
  if (port > MAX_PORT) throw new BindFailure(`there is no port ${port}: choose a lower one with --port`);
  const { socket, port: got } = await listen(host, port, (connection) => connection.destroy());
  return { port: got, release: () => new Promise((done) => socket.close(() => done())) };
}

const MAX_PORT = 65_535;

/** Accepts connections on a port until stopped; stopping breaks them all, as the death of a process would. */
export async function acceptConnections(
  host: string,
  port: number,
  onConnection: (connection: Socket) => void,
): Promise<() => void> {
  const connections = new Set<Socket>();
  const { socket } = await listen(host, port, (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => {});
    onConnection(connection);
  });
  return () => {
    socket.close();
    for (const connection of connections) connection.resetAndDestroy();
  };
}

function listen(
  host: string,
  port: number,
  onConnection: (connection: Socket) => void,
): Promise<{ socket: NetServer; port: number }> {
  return new Promise((resolve, reject) => {
    const socket = createServer(onConnection);
    socket.once('error', (error: NodeJS.ErrnoException) => reject(new BindFailure(explain(host, port, error))));
    socket.listen(port, host, () => resolve({ socket, port: (socket.address() as { port: number }).port }));
  });
}

function explain(host: string, port: number, error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} on ${host} is already in use: stop what listens there, or choose another with --port (0 takes a free one)`;
  if (error.code === 'EACCES') return `not allowed to listen on port ${port}: choose one above 1023 with --port`;
  if (error.code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine: choose another with --host`;
  return `cannot listen on ${host}:${port}: ${error.message}`;
}
