import { earliestOf } from '../base/earliest.js';
import type { Effect } from '../core/effect.js';
import type { Event, FindingEvent } from '../core/event.js';
import type { ProtocolFinding } from './finding.js';
import { FindingStore } from './finding-store.js';
import type { Report, Rule } from './rule.js';
import { cCoreDivergence } from './rules/c-core-divergence.js';
import { changedContents } from './rules/changed-contents.js';
import { missingResponse } from './rules/missing-response.js';
import { nonces } from './rules/nonces.js';
import { queuedRpcs } from './rules/queued-rpcs.js';
import { repeatedResponses } from './rules/repeated-responses.js';
import { responseShape } from './rules/response-shape.js';
import { staleType } from './rules/stale-type.js';
import { streamEnds } from './rules/stream-ends.js';
import { subscriptionMismatch } from './rules/subscription-mismatch.js';
import { unrequestedType } from './rules/unrequested-type.js';

const RULES: readonly ((report: Report) => Rule)[] = [
  responseShape,
  unrequestedType,
  nonces,
  subscriptionMismatch,
  changedContents,
  repeatedResponses,
  missingResponse,
  staleType,
  streamEnds,
  queuedRpcs,
  cCoreDivergence,
];

const HOOKS = ['stream', 'request', 'response', 'resource', 'error', 'timer', 'config'] as const;

/** Events that a response causes. */
const CAUSED: ReadonlySet<string> = new Set<Event['kind']>(['response', 'resource', 'error', 'config', 'tear']);

/** Finds mistakes of control planes in the event log. Its findings depend only on the log. */
export class ProtocolLint {
  readonly #store = new FindingStore();
  readonly #rules: readonly Rule[];
  /** The rules for each kind of event. */
  readonly #byKind: Map<string, ((event: never) => void)[]>;
  readonly #endStep: readonly Rule[];
  readonly #timed: readonly Rule[];

  /** Clients that received a message of a storm in this step. */
  readonly #repeated = new Set<string>();

  constructor() {
    const report: Report = (occurrence) => {
      if (occurrence.isRepeated) this.#repeated.add(occurrence.scope);
      this.#store.report(occurrence);
    };
    this.#rules = RULES.map((rule) => rule(report));
    this.#byKind = new Map(HOOKS.map((kind) => [kind, this.#rules.flatMap((rule) => rule[kind]?.bind(rule) ?? [])]));
    this.#endStep = this.#rules.filter(({ endStep }) => endStep !== undefined);
    this.#timed = this.#rules.filter(({ nextDeadline }) => nextDeadline !== undefined);
  }

  get findings(): ProtocolFinding[] {
    return this.#store.findings;
  }

  /** Whether a storm is ongoing whose rate is not known yet. */
  get hasUnknownRate(): boolean {
    return this.#store.hasUnknownRate;
  }

  /** Whether an event is a message of a storm, or was caused by one in this step: the finding counts it. */
  isRepeated(event: Event): boolean {
    if (event.kind === 'request') return this.#store.isOngoing(event.scope, event.server, event.typeUrl);
    return CAUSED.has(event.kind) && this.#repeated.has(event.scope);
  }

  /** Processes the events of one step, and appends the findings to its effects. */
  observeStep(effects: Effect[], now: number): void {
    this.#repeated.clear();
    for (const effect of effects) if (effect.kind === 'event') this.observe(effect.event);
    for (const event of this.endStep(now)) effects.push({ kind: 'event', event });
  }

  observe(event: Event): void {
    if (event.kind === 'response' && event.ignored !== undefined) {
      for (const rule of this.#rules) rule.ignoredResponse?.(event);
      return;
    }
    for (const hook of this.#byKind.get(event.kind) ?? []) hook(event as never);
    if (event.kind === 'stream' && event.change !== 'opened') {
      for (const rule of this.#rules) rule.forget?.(event.stream);
    }
  }

  nextDeadline(): number | undefined {
    return earliestOf(this.#timed, (rule) => rule.nextDeadline?.(), this.#store.nextDeadline());
  }

  /** The end of a step: returns the finding events for the log. */
  endStep(now: number): FindingEvent[] {
    for (const rule of this.#endStep) rule.endStep?.(now);
    this.#store.tick(now);
    return this.#store.takeEvents();
  }
}
