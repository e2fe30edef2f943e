import { formatMillis } from '../../base/duration.js';
import type { Clock } from '../../engine/ports.js';
import type { Send } from './otlp-http.js';

/** One export: a message, and what to do when the collector has received it. */
export interface Export {
  message: Uint8Array;
  onReceived(response: Uint8Array): void;
}

interface PushOptions {
  next: () => Export;
  send: Send;
  clock: Clock;
  intervalMs: number;
  timeoutMs: number;
  /** Receives the reason when an export fails. */
  onFailure(reason: string): void;
}

/** How long the last export may delay the end of the command. */
const END_MS = 2000;

/** Exports metrics at intervals, and once more at the end. A failed export is not repeated before the next interval. */
export class OtlpPush {
  readonly #options: PushOptions;
  #cancel: () => void;
  #current: AbortController | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
    this.#cancel = this.#schedule();
  }

  /** Sends the last values. Settles soon, even if the collector does not respond. */
  async finish(): Promise<void> {
    this.#cancel();
    this.#current?.abort();
    await this.#export(Math.min(this.#options.timeoutMs, END_MS));
  }

  #schedule(): () => void {
    const { clock, intervalMs, timeoutMs } = this.#options;
    return clock.wakeAt(clock.now() + intervalMs, () => {
      this.#cancel = this.#schedule();
      // A collector that is slower than the interval gets one export at a time.
      if (this.#current === undefined) void this.#export(timeoutMs);
    });
  }

  async #export(timeoutMs: number): Promise<void> {
    const { next, send, clock, onFailure } = this.#options;
    const controller = new AbortController();
    this.#current = controller;
    let isLate = false;
    const cancelTimer = clock.wakeAt(clock.now() + timeoutMs, () => {
      isLate = true;
      controller.abort();
    });
    try {
      const { message, onReceived } = next();
      onReceived(await send(message, controller.signal));
    } catch (error) {
      if (isLate) onFailure(`no response within ${formatMillis(timeoutMs)}`);
      // Otherwise the export was replaced by the last one.
      else if (!controller.signal.aborted) onFailure(reasonOf(error));
    } finally {
      cancelTimer();
      if (this.#current === controller) this.#current = undefined;
    }
  }
}

/** If a host name has several addresses, the reasons are in a list. */
function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
}
