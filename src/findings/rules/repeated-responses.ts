import type { ResponseEvent } from '../../core/event.js';
import { isCompleteInEveryResponse, shortType } from '../../proto/resource-types.js';
import { shortened } from '../message-text.js';
import { PerStreamState } from '../per-stream-state.js';
import type { Report, Rule } from '../rule.js';

/** Counts occurrences within one second. */
class Burst {
  #since = Number.NEGATIVE_INFINITY;
  #weight = 0;
  #count = 0;
  #isOn = false;

  /** Returns the count when the weight reaches the threshold, and then 1 for each further occurrence. */
  add(at: number, weight: number, threshold: number): { times: number; begin: number } | undefined {
    if (at - this.#since > WINDOW_MS) {
      this.#isOn = this.#isOn && this.#weight >= threshold;
      this.#since = at;
      this.#weight = 0;
      this.#count = 0;
    }
    this.#weight += weight;
    this.#count++;
    if (this.#isOn) return { times: 1, begin: at };
    if (this.#weight < threshold) return undefined;
    this.#isOn = true;
    return { times: this.#count, begin: this.#since };
  }

  stop(): void {
    this.#since = Number.NEGATIVE_INFINITY;
    this.#isOn = false;
  }
}

const WINDOW_MS = 1000;
/** NACKs of one version per second; fewer may be a retry. */
const MIN_REJECTIONS = 5;
/** 20 unchanged responses per second, or 200 responses with changes. */
const STORM_WEIGHT = 200;
const UNCHANGED_WEIGHT = 10;
/** Number of new versions without changes before they are reported. */
const MIN_REPEATS = 3;

interface ResponseHistory {
  /** The requested names changed since the last response, so the server has a reason to respond. */
  hasNewRequest: boolean;
  names: readonly string[] | undefined;
  rejectedVersion: string | undefined;
  rejections: Burst;
  storm: Burst;
  last: Pick<ResponseEvent, 'at' | 'version' | 'names' | 'errors'> | undefined;
  repeats: number;
}

const NACK_PREFIX = 'xDS response validation errors: [';

/** Returns the errors of a NACK without the prefix that all NACKs have (R1.20). */
function reasonIn(nack: string): string {
  return shortened(nack.startsWith(NACK_PREFIX) ? nack.slice(NACK_PREFIX.length, -1) : nack);
}

/**
 * Whether a response has something new: it changes a resource, reports an error or clears one, or it deletes or returns a
 * resource (R1.30), which need not change a cached one (A88).
 */
function hasNews({ typeUrl, names, errors, changed }: ResponseEvent, { last }: ResponseHistory): boolean {
  if (changed > 0 || last === undefined || JSON.stringify(errors) !== JSON.stringify(last.errors)) return true;
  return isCompleteInEveryResponse(typeUrl) && !areSameNames(names, last.names);
}

function areSameNames(names: readonly string[], others: readonly string[]): boolean {
  if (names.length === others.length && names.every((name, i) => name === others[i])) return true;
  const known = new Set(others);
  const distinct = new Set(names);
  return distinct.size === known.size && names.every((name) => known.has(name));
}

/** Detects responses that the server sends repeatedly. */
export function repeatedResponses(report: Report): Rule {
  const histories = new PerStreamState<ResponseHistory>(() => ({
    hasNewRequest: true,
    names: undefined,
    rejectedVersion: undefined,
    rejections: new Burst(),
    storm: new Burst(),
    last: undefined,
    repeats: 0,
  }));

  function checkRejected(event: ResponseEvent, history: ResponseHistory): void {
    const { at, scope, server, typeUrl, version } = event;
    if (history.rejectedVersion !== version) history.rejections.stop();
    history.rejectedVersion = version;
    const burst = history.rejections.add(at, 1, MIN_REJECTIONS);
    if (burst === undefined) return;
    const message = (): string =>
      `${shortType(typeUrl)} version ${version} is resent after each NACK: ${reasonIn(event.refused ?? '')}`;
    const { times, begin } = burst;
    report({ code: 'XI203', at, scope, server, typeUrl, message, isRepeated: true, times, begin });
  }

  function checkStorm(
    { at, scope, server, typeUrl, version, names }: ResponseEvent,
    history: ResponseHistory,
    isNews: boolean,
  ): void {
    const burst = history.storm.add(at, isNews ? 1 : UNCHANGED_WEIGHT, STORM_WEIGHT);
    if (burst === undefined) return;
    // Some servers treat the wildcard as the name of a resource that they do not have.
    const isWildcard = names.length === 0 && history.names?.includes('*') === true;
    const idle = isWildcard
      ? 'sends empty responses repeatedly to a client that subscribes to "*"'
      : 'sends unchanged responses repeatedly';
    const how = isNews ? 'changes resources repeatedly' : idle;
    const message = `${shortType(typeUrl)}: the server ${how}, now version ${version}`;
    report({ code: 'XI214', at, scope, server, typeUrl, message, isRepeated: true, ...burst });
  }

  function checkUnchanged(
    { at, scope, server, typeUrl, version, names }: ResponseEvent,
    history: ResponseHistory,
  ): void {
    const { last } = history;
    if (last === undefined || last.version === version || names.length === 0) return;
    if (at - last.at < WINDOW_MS || ++history.repeats < MIN_REPEATS) return;
    const times = history.repeats === MIN_REPEATS ? MIN_REPEATS : 1;
    const message = `${shortType(typeUrl)}: the server sends new versions without changes, now ${version}`;
    report({ code: 'XI222', at, scope, server, typeUrl, message, times });
  }

  return {
    request({ stream, typeUrl, names }) {
      const history = histories.of(stream, typeUrl);
      if (history.names !== names) history.hasNewRequest = true;
      history.names = names;
    },
    response(event) {
      const history = histories.of(event.stream, event.typeUrl);
      const isRequested = history.hasNewRequest || event.added > 0;
      history.hasNewRequest = false;
      if (!isRequested) {
        if (event.refused !== undefined) checkRejected(event, history);
        else {
          const isNews = hasNews(event, history);
          checkStorm(event, history, isNews);
          if (!isNews) checkUnchanged(event, history);
        }
      }
      const { at, version, names, errors } = event;
      history.last = { at, version, names, errors };
    },
    forget: (stream) => histories.forget(stream),
  };
}
