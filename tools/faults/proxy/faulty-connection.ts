import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Side } from './fault.ts';

/** Bytes that follow a changed bit before the connection is reset. */
const AFTER_CORRUPTION = 200;

/** How a connection ends: with RST, or with FIN. */
export type Cut = 'reset' | 'close';

/** Ends one side at once, even if it does not read what was written before. */
export function cutSocket(socket: Socket, how: Cut): void {
  if (how === 'close') socket.end(() => socket.destroy());
  // libuv cannot reset a socket that has begun to end, and Node then leaves it open.
  else if (socket.writableEnded) socket.destroy();
  else {
    socket.resetAndDestroy();
    socket.destroy();
  }
}

interface ConnectionPorts {
  /** The fault has taken effect. */
  onFault: () => void;
  /** Resolves when the proxy forwards bytes. */
  held: () => Promise<void>;
}

/** Forwards the bytes of one connection in both directions, with a fault. */
export class FaultyConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #fault: Fault;
  readonly #passed: Record<Side, number> = { client: 0, server: 0 };
  readonly #onFault: () => void;
  readonly #held: () => Promise<void>;
  #hasFired = false;

  constructor(client: Socket, server: Socket, fault: Fault, { onFault, held }: ConnectionPorts) {
    this.#client = client;
    this.#server = server;
    this.#fault = fault;
    this.#onFault = onFault;
    this.#held = held;
    void this.#forward('client', client, server);
    void this.#forward('server', server, client);
  }

  /** Ends both sides. */
  cut(how: Cut): void {
    for (const socket of [this.#client, this.#server]) cutSocket(socket, how);
  }

  /** Reads and writes one piece after the other, so that a slow direction slows its sender down. */
  async #forward(from: Side, source: Socket, sink: Socket): Promise<void> {
    try {
      for await (const data of source) {
        for (const piece of this.#pieces(data as Buffer)) {
          await this.#pause(from, piece.length);
          await this.#held();
          if (sink.destroyed) return;
          const changed = this.#changed(from, piece);
          await new Promise<void>((done) => void sink.write(changed, () => done()));
          this.#passed[from] += piece.length;
          this.#cutIfDue(from);
        }
      }
      sink.end();
    } catch {
      // The connection is broken: so is the other half.
      sink.destroy();
    }
  }

  #pieces(data: Buffer): Buffer[] {
    const fault = this.#fault;
    if (fault.kind === 'slow') {
      const pieces: Buffer[] = [];
      for (let at = 0; at < data.length; at += fault.bytes) pieces.push(data.subarray(at, at + fault.bytes));
      return pieces;
    }
    // A cut happens after an exact number of bytes.
    const limit = 'after' in fault ? fault.after : 0;
    const sides: Side[] = 'from' in fault ? [fault.from] : ['client', 'server'];
    const left = Math.max(0, ...sides.map((side) => limit - this.#passed[side]));
    return left > 0 && left < data.length ? [data.subarray(0, left), data.subarray(left)] : [data];
  }

  async #pause(from: Side, length: number): Promise<void> {
    const fault = this.#fault;
    if (fault.kind === 'slow') {
      this.#fire();
      await sleep(fault.everyMs);
    } else if (fault.kind === 'stall' && this.#passed[from] + length > fault.after) {
      const isFirst = !this.#hasFired;
      this.#fire();
      if (isFirst) await sleep(fault.forMs);
    }
  }

  #changed(from: Side, piece: Buffer): Buffer {
    const fault = this.#fault;
    if (fault.kind !== 'corrupt' || fault.from !== from || this.#hasFired) return piece;
    const at = fault.after - this.#passed[from];
    if (at < 0 || at >= piece.length) return piece;
    const changed = Buffer.from(piece);
    changed[at] = (changed[at] as number) ^ (1 << fault.bit);
    this.#fire();
    return changed;
  }

  #cutIfDue(from: Side): void {
    const fault = this.#fault;
    if (
      (fault.kind === 'reset' || fault.kind === 'close') &&
      fault.from === from &&
      this.#passed[from] >= fault.after
    ) {
      this.#fire();
      this.cut(fault.kind);
    } else if (
      fault.kind === 'corrupt' &&
      this.#hasFired &&
      this.#passed[fault.from] >= fault.after + AFTER_CORRUPTION
    ) {
      this.cut('reset');
    }
  }

  #fire(): void {
    if (this.#hasFired) return;
    this.#hasFired = true;
    this.#onFault();
  }
}
