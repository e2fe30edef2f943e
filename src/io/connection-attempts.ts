import type { Socket } from 'node:net';
import type { ChannelCredentials } from '@grpc/grpc-js';
import type { ConnectivityState } from '../core/input.js';

/**
 * Ends connection attempts that take too long. grpc-js treats a connection as ready when the peer's SETTINGS arrive, and
 * waits for them without a limit. Only the connector of the credentials sees the socket of an attempt.
 */
export class ConnectionAttempts {
  readonly #timeoutMs: number;
  readonly #open = new Map<Socket, NodeJS.Timeout>();
  #reaching: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Wraps credentials to track each connected socket. */
  track(credentials: ChannelCredentials): ChannelCredentials {
    const createConnector: ChannelCredentials['_createSecureConnector'] = (...details) => {
      const connector = credentials._createSecureConnector(...details);
      return {
        connect: (socket) => {
          this.#begin(socket);
          return connector.connect(socket);
        },
        waitForReady: () => connector.waitForReady(),
        getCallCredentials: () => connector.getCallCredentials(),
        destroy: () => connector.destroy(),
      };
    };
    return Object.create(credentials, { _createSecureConnector: { value: createConnector } });
  }

  /** Reports the timeout of an attempt that has no socket yet. It cannot be ended, so grpc-js continues with it. */
  follow(state: ConnectivityState, onFailure: (failure: string) => void): void {
    clearTimeout(this.#reaching);
    if (state === 'ready') this.#forgetAll();
    if (state !== 'connecting') return;
    const isUnreached = (): boolean => this.#open.size === 0;
    this.#reaching = setTimeout(() => isUnreached() && onFailure(NO_CONNECTION), this.#timeoutMs).unref();
  }

  stop(): void {
    clearTimeout(this.#reaching);
    for (const socket of this.#open.keys()) socket.destroy();
    this.#forgetAll();
  }

  #begin(socket: Socket): void {
    this.#open.set(socket, setTimeout(() => socket.destroy(new Error(NO_SETTINGS)), this.#timeoutMs).unref());
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    clearTimeout(this.#open.get(socket));
    this.#open.delete(socket);
  }

  #forgetAll(): void {
    for (const socket of [...this.#open.keys()]) this.#forget(socket);
  }
}

/** C-core's message. */
const NO_SETTINGS = 'connection attempt timed out before receiving SETTINGS frame';
const NO_CONNECTION = 'connection attempt timed out before the server responded';
