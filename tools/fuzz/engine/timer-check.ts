import type { Effect } from '../../../src/core/effect.js';
import type { TimerEvent } from '../../../src/core/event.js';
import type { Input, StreamId } from '../../../src/core/input.js';
import { require } from '../violation.js';
import type { Check, World } from './world.js';

/** Checks that resource timers start and expire as A57 requires, and that deadlines pass. */
export class TimerCheck implements Check {
  readonly #world: World;
  /** The time at which each running timer is due, by stream. */
  readonly #running = new Map<StreamId, Map<string, number>>();

  constructor(world: World) {
    this.#world = world;
  }

  onEffect(effect: Effect): void {
    if (effect.kind === 'open') this.#running.set(effect.stream, new Map());
    else if (effect.kind === 'cancel') this.#running.delete(effect.stream);
    else if (effect.kind === 'event') {
      const { event } = effect;
      if (event.kind === 'timer') this.#onTimer(event);
      // R2.4: a resource that arrived needs no timer, whether it is valid or not.
      else if (event.kind === 'resource' || (event.kind === 'error' && event.cause === 'nack')) {
        for (const running of this.#running.values()) running.delete(keyOf(event));
      }
    }
  }

  onStep(input: Input): void {
    if (input.kind === 'ended') this.#running.delete(input.stream);
    if (input.kind !== 'tick') return;
    const { engine, now } = this.#world;
    const next = engine.nextDeadline();
    require(next === undefined || next > now, 'deadline-passes', () => `at ${now}, the next deadline is ${next}`);
  }

  #onTimer({ change, scope, server, typeUrl, names, milliseconds = 0 }: TimerEvent): void {
    const { wires, now } = this.#world;
    const wire = [...wires.values()].find((one) => one.scope === scope && one.server === server);
    require(wire !== undefined, 'timer-once', () => `a timer of ${typeUrl} ${names} without a stream`);
    const running = this.#running.get(wire.id) ?? new Map<string, number>();
    this.#running.set(wire.id, running);
    const cache = change === 'started' ? this.#world.snapshot().find((one) => one.scope === scope) : undefined;
    for (const name of names) {
      const key = keyOf({ scope, server, typeUrl, name });
      if (change === 'started') {
        const isRequested = wire.last.get(typeUrl)?.resourceNames.includes(name) === true;
        require(isRequested, 'timer-needs-request', () => `${key} is not in the last request`);
        require(cache?.entry(typeUrl, name)?.resource === undefined, 'timer-if-uncached', () => `${key} is cached`);
        running.set(key, now + milliseconds);
      } else {
        const due = running.get(key);
        require(due !== undefined && due <= now, 'timer-once', () => `${key} expired at ${now}, due at ${due}`);
        running.delete(key);
      }
    }
  }
}

function keyOf({ scope, server, typeUrl, name }: Record<'scope' | 'server' | 'typeUrl' | 'name', string>): string {
  return `${scope} ${server} ${typeUrl} ${name}`;
}
