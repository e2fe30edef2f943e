import { formatMillis } from '../base/duration.js';
import { shortType } from '../proto/resource-types.js';
import { type ClassifiedRequest, matches } from './plane-stream.js';
import type { Action, Expectation, RequestPattern, Step } from './scenario.js';

/** An event that an expectation can match. */
type Observation = { server: string; streamOrdinal: number; taken: boolean } & (
  | { kind: 'request'; classified: ClassifiedRequest }
  | { kind: 'stream' }
  | { kind: 'end' }
);

/** The next move of the script. */
export type ScriptMove =
  | { kind: 'act'; step: Step; action: Action }
  | { kind: 'met'; step: Step }
  | { kind: 'unmet'; step: Step; reason: string }
  | { kind: 'done'; met: number; unmet: number };

/** Limit on observations that no expectation has matched. */
const MAX_OBSERVATIONS = 1000;

/** Runs the steps of a scenario in order. Reports an expectation that is not met in time, and continues. */
export class Script {
  readonly #steps: readonly Step[];
  readonly #observations: Observation[] = [];
  #next = 0;
  #wakeAt: number | undefined;
  #met = 0;
  #unmet = 0;
  #finished = false;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#finished = steps.length === 0;
  }

  nextDeadline(): number | undefined {
    return this.#wakeAt;
  }

  observe(
    server: string,
    streamOrdinal: number,
    what: { kind: 'request'; classified: ClassifiedRequest } | { kind: 'stream' } | { kind: 'end' },
  ): void {
    if (this.#finished) return;
    this.#observations.push({ server, streamOrdinal, taken: false, ...what });
    if (this.#observations.length > MAX_OBSERVATIONS) this.#observations.shift();
  }

  /** Returns the next move, or `undefined` while the script waits. */
  advance(now: number): ScriptMove | undefined {
    const step = this.#steps[this.#next];
    if (step === undefined) return this.#finish();
    const { what } = step;
    if (what.kind === 'expect') return this.#expect(step, what.expectation, now);
    if (what.kind === 'wait') {
      this.#wakeAt ??= now + what.millis;
      if (now < this.#wakeAt) return undefined;
      this.#pass();
      return this.advance(now);
    }
    this.#pass();
    return { kind: 'act', step, action: what };
  }

  #expect(step: Step, expectation: Expectation, now: number): ScriptMove | undefined {
    this.#wakeAt ??= now + expectation.within;
    const observation = this.#observations.find(
      (s) =>
        !s.taken &&
        s.server === step.server &&
        (step.stream === undefined || s.streamOrdinal === step.stream) &&
        matchesExpectation(expectation, s),
    );
    if (observation !== undefined && !expectation.absent) {
      this.#take(observation);
      return this.#settle(step, undefined);
    }
    if (observation !== undefined)
      return this.#settle(step, `received unexpectedly: ${describeExpectation(expectation)}`);
    if (now < this.#wakeAt) return undefined;
    return this.#settle(
      step,
      expectation.absent
        ? undefined
        : `not received within ${formatMillis(expectation.within)}: ${describeExpectation(expectation)}${this.#lastRequestText(step, expectation)}`,
    );
  }

  /** Marks an observation as matched. A matched request also matches the opening of its stream. */
  #take(observation: Observation): void {
    observation.taken = true;
    for (const other of this.#observations) {
      const isItsStream = other.server === observation.server && other.streamOrdinal === observation.streamOrdinal;
      if (other.kind === 'stream' && isItsStream) other.taken = true;
    }
  }

  #settle(step: Step, reason: string | undefined): ScriptMove {
    this.#pass();
    if (reason === undefined) {
      this.#met++;
      return { kind: 'met', step };
    }
    this.#unmet++;
    return { kind: 'unmet', step, reason };
  }

  #pass(): void {
    this.#next++;
    this.#wakeAt = undefined;
  }

  #finish(): ScriptMove | undefined {
    if (this.#finished) return undefined;
    this.#finished = true;
    this.#observations.length = 0;
    return { kind: 'done', met: this.#met, unmet: this.#unmet };
  }

  /** Describes the last request of that type, to show how it differs. */
  #lastRequestText(step: Step, expectation: Expectation): string {
    if (expectation.kind !== 'request') return '';
    const { typeUrl } = expectation.pattern;
    const last = this.#observations.findLast(
      (s) => s.kind === 'request' && s.server === step.server && s.classified.request.typeUrl === typeUrl,
    );
    if (last?.kind !== 'request') return '; no request of that type was received';
    const { resourceNames, versionInfo, responseNonce, errorDetail } = last.classified.request;
    const nack = errorDetail === undefined ? '' : `, NACK "${errorDetail.message}"`;
    return `; the last request of that type has names [${resourceNames.join(', ')}], version "${versionInfo}", nonce "${responseNonce}"${nack}`;
  }
}

function matchesExpectation(expectation: Expectation, observation: Observation): boolean {
  if (expectation.kind !== observation.kind) return false;
  return (
    expectation.kind !== 'request' ||
    observation.kind !== 'request' ||
    matches(expectation.pattern, observation.classified)
  );
}

function describeExpectation(expectation: Expectation): string {
  if (expectation.kind === 'stream') return 'a new stream';
  if (expectation.kind === 'end') return 'the end of a stream';
  return describePattern(expectation.pattern);
}

function describePattern({ typeUrl, names, version, nonce, is, error }: RequestPattern): string {
  const parts = [
    `${{ asking: 'a request', any: 'a request', ack: 'an ACK', nack: 'a NACK' }[is]} of ${shortType(typeUrl)}`,
  ];
  if (names !== undefined) parts.push(`names [${names.join(', ')}]`);
  if (version !== undefined) parts.push(`version "${version}"`);
  if (nonce !== undefined) parts.push(`nonce "${nonce}"`);
  if (error !== undefined) parts.push(`an error with "${error}"`);
  return parts.join(', ');
}
