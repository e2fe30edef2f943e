import type { Socket } from 'node:net';
import type { ChannelCredentials } from '@grpc/grpc-js';
import type { ConnectivityState } from '../core/input.js';

/**
 * Ends attempts to connect that take too long. grpc-js takes a connection for ready when the peer's SETTINGS are there,
 * but waits for them without end. The socket of an attempt is seen only by the connector of the credentials.
 */
export class ConnectionAttempts {
  readonly #timeoutMs: number;
  readonly #open = new Map<Socket, NodeJS.Timeout>();
  #reaching: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The same credentials, with an eye on each socket from when it is connected. */
  seenBy(credentials: ChannelCredentials): ChannelCredentials {
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

  /** An attempt that has not even come to a socket cannot be ended; it is told, and grpc-js goes on with it. */
  follow(state: ConnectivityState, tell: (failure: string) => void): void {
    clearTimeout(this.#reaching);
    if (state === 'ready') this.#forgetAll();
    if (state !== 'connecting') return;
    const isUnreached = (): boolean => this.#open.size === 0;
    this.#reaching = setTimeout(() => isUnreached() && tell(NO_ANSWER), this.#timeoutMs).unref();
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

/** C-core's words. */
const NO_SETTINGS = 'connection attempt timed out before receiving SETTINGS frame';
const NO_ANSWER = 'connection attempt timed out before the server answered';
