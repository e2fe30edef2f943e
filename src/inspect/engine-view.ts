import type { Event } from '../core/event.js';
import type { Engine } from '../engine/engine.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { ErrorLog } from './error-log.js';
import { EventFeed } from './event-feed.js';
import type { ProbeResult } from './probe.js';
import { VerdictFacts } from './verdict/facts.js';
import { type TargetVerdict, verdictsOf } from './verdict/verdict.js';

/** The state of an engine without suppressed findings. */
export class EngineView {
  readonly events = new EventFeed();
  readonly #engine: Engine;
  readonly #nodeId: string | undefined;
  readonly #suppress: ReadonlySet<string>;
  readonly errors = new ErrorLog();
  readonly #facts = new VerdictFacts();

  constructor(engine: Engine, nodeId: string | undefined, suppress: ReadonlySet<string> = new Set()) {
    this.#engine = engine;
    this.#nodeId = nodeId;
    this.#suppress = suppress;
  }

  /** Publishes an event and returns whether it is a repeated one. */
  publish(event: Event): boolean {
    const isRepeated = this.#engine.isRepeated(event);
    this.#facts.observe(event);
    this.errors.observe(event);
    if (event.kind !== 'finding' || !this.#suppress.has(event.code)) this.events.publish(event, isRepeated);
    return isRepeated;
  }

  findings(): ProtocolFinding[] {
    return this.#engine.findings().filter(({ code }) => !this.#suppress.has(code));
  }

  /** Stores the listeners that servers listed for a wildcard subscription. */
  learnListeners(listed: ProbeResult['listed']): void {
    for (const { scope, server, names } of listed) this.#facts.learnListeners(scope, server, names);
  }

  verdict(now: number): TargetVerdict[] {
    return verdictsOf(this.#engine.snapshot(), { facts: this.#facts, nodeId: this.#nodeId, now });
  }
}
