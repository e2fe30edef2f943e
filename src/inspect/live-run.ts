import type { Effect } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { Input } from '../core/input.js';
import type { Machine } from '../core/machine.js';
import { Session } from '../engine/session.js';
import type { EventFeed } from './event-feed.js';
import type { Ports, Recorder } from './source.js';
import { type Condition, type WaitEnding, type WaitOptions, waitOnClock } from './until.js';

/** Runs a machine on live ports. Starts it once, waits for conditions, and closes it together with its recording. */
export class LiveRun {
  readonly session: Session;
  readonly #ports: Ports;
  readonly #inputs: readonly Input[];
  readonly #recorder: Recorder | undefined;
  #startedAt: number | undefined;

  constructor(
    machine: Machine<Input, Effect>,
    ports: Ports,
    inputs: readonly Input[],
    append: (event: Event) => void,
    recorder: Recorder | undefined,
  ) {
    this.#ports = ports;
    this.#inputs = inputs;
    this.#recorder = recorder;
    this.session = new Session(machine, {
      ...ports,
      log: { append },
      ...(recorder && { record: (input: Input, at: number) => recorder.record(input, at) }),
    });
  }

  get startedAt(): number {
    return this.#startedAt ?? this.#ports.clock.now();
  }

  start(): void {
    if (this.#startedAt !== undefined) return;
    this.#startedAt = this.#ports.clock.now();
    for (const input of this.#inputs) this.session.dispatch(input);
  }

  until(events: EventFeed, condition: Condition, wait: WaitOptions): Promise<WaitEnding> {
    this.start();
    return waitOnClock(this.#ports.clock, (changed) => events.subscribe(changed), condition, wait);
  }

  close(): void {
    this.session.close();
    this.#recorder?.close();
  }
}
