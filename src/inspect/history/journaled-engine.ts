import { getOrAdd } from '../../base/get-or-add.js';
import type { Slices } from '../../base/slices.js';
import type { Effect } from '../../core/effect.js';
import type { Event } from '../../core/event.js';
import type { Input } from '../../core/input.js';
import type { Machine } from '../../core/machine.js';
import type { Engine } from '../../engine/engine.js';
import type { ProtocolFinding } from '../../findings/finding.js';
import { findingKey, type JournalStep, type LoggedEvent } from './journal.js';
import { ScopeJournal } from './scope-journal.js';

/** Lists of names of at least this length are shared by the events that repeat them. */
const LONG_LIST = 20;

/** An engine that reports what each step has changed. The engine must track changes. */
export class JournaledEngine implements Machine<Input, Effect> {
  readonly #engine: Engine;
  readonly #onStep: (step: JournalStep) => void;
  readonly #scopes = new Map<string, ScopeJournal>();
  readonly #findings = new Map<string, ProtocolFinding>();
  readonly #names = new Map<string, readonly string[]>();

  constructor(engine: Engine, onStep: (step: JournalStep) => void) {
    this.#engine = engine;
    this.#onStep = onStep;
  }

  handle(input: Input, now: number): Effect[] {
    const effects = this.#engine.handle(input, now);
    const events = effects.flatMap((effect) => (effect.kind === 'event' ? [this.#logged(effect.event)] : []));
    const changes = this.#engine.takeChanges();
    const scopes = changes.scopes.flatMap((one) => this.#scope(one.scope).changes(one) ?? []);
    for (const scope of changes.closed) this.#scopes.delete(scope);
    const findings = events.length === 0 ? [] : this.#changedFindings();
    if (events.length > 0 || scopes.length > 0 || changes.closed.length > 0)
      this.#onStep({ at: now, events, scopes, closed: changes.closed, findings });
    return effects;
  }

  prepare(input: Input): Slices<void> | undefined {
    return this.#engine.prepare(input);
  }

  nextDeadline(): number | undefined {
    return this.#engine.nextDeadline();
  }

  #scope(scope: string): ScopeJournal {
    return getOrAdd(this.#scopes, scope, () => new ScopeJournal());
  }

  /** Requests and responses of a type mostly have the same names, of which there may be thousands. */
  #logged(event: Event): LoggedEvent {
    const isRepeated = this.#engine.isRepeated(event);
    if ((event.kind !== 'request' && event.kind !== 'response') || event.names.length < LONG_LIST)
      return { event, isRepeated };
    const key = `${event.kind} ${event.scope} ${event.server} ${event.typeUrl}`;
    const known = this.#names.get(key);
    if (known?.length === event.names.length && known.every((name, i) => name === event.names[i]))
      return { event: { ...event, names: known }, isRepeated };
    this.#names.set(key, event.names);
    return { event, isRepeated };
  }

  #changedFindings(): ProtocolFinding[] {
    return this.#engine.findings().filter((finding) => {
      const key = findingKey(finding);
      const known = this.#findings.get(key);
      this.#findings.set(key, finding);
      return known === undefined || !isSameFinding(known, finding);
    });
  }
}

function isSameFinding(a: ProtocolFinding, b: ProtocolFinding): boolean {
  return (
    a.count === b.count &&
    a.last === b.last &&
    a.isOngoing === b.isOngoing &&
    a.rate === b.rate &&
    a.names.length === b.names.length
  );
}
