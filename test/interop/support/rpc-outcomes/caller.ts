import type { PeerName } from '../../../../tools/peers/peers.js';
import { App, type CallOptions, type Outcome } from '../app.js';
import type { RandomCall } from './random-matchers.js';
import type { RandomTarget } from './random-targets.js';

/** Between the timeouts and the delays of the random configurations. */
export const DEADLINE_S = 5;
/** Longer than a resource timer. */
const WARM_UP_S = 25;

/** An application that makes the same call to every target, and runs the targets that are servers. */
export class Caller {
  readonly #app: App;
  readonly #targets: readonly RandomTarget[];
  readonly #call: RandomCall;

  private constructor(app: App, targets: readonly RandomTarget[], call: RandomCall) {
    this.#app = app;
    this.#targets = targets;
    this.#call = call;
  }

  static async start(
    peer: PeerName,
    bootstrap: string,
    targets: readonly RandomTarget[],
    call: RandomCall,
  ): Promise<Caller> {
    const app = await App.start(peer, { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap });
    for (const { kind, dials } of targets) if (kind === 'server') await app.serve(Number(dials.split(':').at(-1)));
    return new Caller(app, targets, call);
  }

  /** Makes a first call on each channel, which is queued until its configuration has arrived. */
  async warmUp(): Promise<void> {
    await this.#app.calls(
      this.#targets.map((target) => this.#callTo(target, WARM_UP_S)),
      this.#targets.length,
    );
  }

  callAll(targets: readonly RandomTarget[]): Promise<Outcome[]> {
    const calls = targets.map((target) => this.#callTo(target, DEADLINE_S));
    return this.#app.calls(calls, CALLS_AT_ONCE);
  }

  async callAgain(target: RandomTarget): Promise<Outcome> {
    return (await this.#app.calls([this.#callTo(target, DEADLINE_S)], 1))[0] as Outcome;
  }

  stop(): void {
    this.#app.kill();
  }

  #callTo({ dials, kind }: RandomTarget, timeout: number): Required<CallOptions> & { target: string } {
    return { ...this.#call, target: dials, timeout, waitForReady: kind === 'server' };
  }
}

const CALLS_AT_ONCE = 40;
