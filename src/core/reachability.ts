import { type Status, statusCode } from '../base/status.js';
import type { ConnectivityState } from './input.js';

/** Whether the transport of a channel can connect to its server. */
export class Reachability {
  #isDown = false;
  #error: Status | undefined;

  get isDown(): boolean {
    return this.#isDown;
  }

  /** The error of the last failed connection. */
  get error(): Status {
    return this.#error ?? { code: statusCode('UNAVAILABLE'), message: '' };
  }

  /**
   * Returns the kind of a new failure. Repeated connection attempts are one failure: gRPC's channels stay in
   * TRANSIENT_FAILURE until they are READY.
   */
  onState(state: ConnectivityState, reason: string): 'lame' | 'channel' | undefined {
    const wasDown = this.#isDown;
    this.#isDown = state === 'transient-failure' || (wasDown && state === 'connecting');
    if (wasDown && this.#isDown) return undefined;
    if (state !== 'lame' && state !== 'transient-failure') return undefined;
    this.#error = { code: statusCode('UNAVAILABLE'), message: reason };
    return state === 'lame' ? 'lame' : 'channel';
  }
}
