import { elapsedMs } from './elapsed.js';

/** The most messages that are handled in one turn of the event loop. */
export const MAX_MESSAGES_PER_TURN = 32;
/** A turn ends earlier if its messages take longer: a response may have one resource or ten thousand. */
const MAX_TURN_MS = 10;

/** The parts of Node that a turn needs. Tests pass their own. */
interface TurnTimer {
  now(): number;
  /** Calls back in the next turn of the event loop, after signals, timers and sockets. */
  defer(next: () => void): void;
}

const NODE_TIMER: TurnTimer = { now: elapsedMs, defer: (next) => void setImmediate(next) };

/**
 * Limits the work of one turn of the event loop. grpc-js delivers all received bytes, up to the flow-control window, by
 * `process.nextTick`. Without a limit, a control plane that sends without pause would keep Ctrl-C, timers and the output
 * waiting until the window is empty, which takes seconds.
 */
export class LoopTurn {
  readonly #timer: TurnTimer;
  #waiting: (() => void)[] = [];
  #handled = 0;
  #startedAt: number | undefined;

  constructor(timer = NODE_TIMER) {
    this.#timer = timer;
  }

  /** Handles a message now, or in a later turn if this one has handled enough. Keeps the order. */
  run(handle: () => void): void {
    if (this.#startedAt === undefined) this.#start();
    if (this.#waiting.length > 0 || this.#isSpent) this.#waiting.push(handle);
    else this.#handle(handle);
  }

  get #isSpent(): boolean {
    if (this.#handled === 0) return false;
    return this.#handled >= MAX_MESSAGES_PER_TURN || this.#timer.now() - (this.#startedAt ?? 0) >= MAX_TURN_MS;
  }

  #start(): void {
    this.#handled = 0;
    this.#startedAt = this.#timer.now();
    this.#timer.defer(() => this.#next());
  }

  #next(): void {
    this.#startedAt = undefined;
    if (this.#waiting.length === 0) return;
    this.#start();
    const waiting = this.#waiting;
    this.#waiting = [];
    let i = 0;
    try {
      while (i < waiting.length && !this.#isSpent) this.#handle(waiting[i++] as () => void);
    } finally {
      // Messages that arrived during the loop are newer. A handler that throws must not lose those of other streams.
      this.#waiting = [...waiting.slice(i), ...this.#waiting];
    }
  }

  #handle(handle: () => void): void {
    this.#handled++;
    handle();
  }
}

/** All connections of the process share one event loop. */
export const loopTurn = new LoopTurn();
