import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { type Cut, cutSocket, FaultyConnection } from './faulty-connection.ts';

const HOST = '127.0.0.1';

/** A TCP proxy whose next connections have the faults that a suite selects. */
export class FaultyProxy {
  /** The faults that have taken effect, by kind. */
  readonly fired: Record<string, number> = {};
  /** Connections to the control plane beyond those of clients. */
  duplicates = 0;
  /** Connections accepted so far. */
  accepted = 0;
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Ends a connection, by the socket of its client. */
  readonly #cuts = new Map<Socket, (how: Cut) => void>();
  #fault: Fault = { kind: 'none' };
  #isClosed = false;
  #held = Promise.resolve();
  #release = (): void => {};

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => void this.#accept(client));
  }

  static async start(target: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    proxy.#server.listen(0, HOST);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get address(): string {
    return `${HOST}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The fault of all connections from now on. */
  set fault(fault: Fault) {
    this.#fault = fault;
  }

  /** Stops to forward bytes, in both directions and on new connections. All connections stay open. */
  hold(): void {
    this.#held = new Promise((release) => {
      this.#release = release;
    });
  }

  /** Forwards all held bytes. */
  release(): void {
    this.#release();
    this.#held = Promise.resolve();
  }

  /** Ends all connections. */
  cutAll(how: Cut): void {
    for (const cut of this.#cuts.values()) cut(how);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.release();
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #accept(client: Socket): Promise<void> {
    const fault = this.#fault;
    this.accepted++;
    this.#track(client);
    this.#cuts.set(client, (how) => cutSocket(client, how));
    client.on('close', () => this.#cuts.delete(client));
    const fire = (): void => {
      this.fired[fault.kind] = (this.fired[fault.kind] ?? 0) + 1;
    };
    if (fault.kind === 'refuse') {
      fire();
      client.resetAndDestroy();
      return;
    }
    if (fault.kind === 'late') {
      fire();
      await sleep(fault.forMs);
      if (client.destroyed || this.#isClosed) return;
    }
    if (fault.kind === 'duplicate') {
      fire();
      this.#duplicate(client);
    }
    const server = this.#track(connect(this.#target, HOST));
    const connection = new FaultyConnection(client, server, fault, { onFault: fire, held: () => this.#held });
    this.#cuts.set(client, (how) => connection.cut(how));
  }

  /** Sends the bytes of the client to the control plane on a connection of its own, and discards the responses. */
  #duplicate(client: Socket): void {
    this.duplicates++;
    const copy = this.#track(connect(this.#target, HOST));
    client.on('data', (data) => void copy.write(data));
    client.on('close', () => copy.destroy());
    copy.resume();
  }

  #track(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}
