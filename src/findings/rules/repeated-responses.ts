import type { ResponseEvent } from '../../core/event.js';
import { shortType } from '../../proto/resource-types.js';
import { shortened } from '../message-text.js';
import { PerStreamState } from '../per-stream-state.js';
import type { Report, Rule } from '../rule.js';

/** Something that happens again and again, counted within a second. */
class Burst {
  #since = Number.NEGATIVE_INFINITY;
  #weight = 0;
  #count = 0;
  #isOn = false;

  /** How often it has happened, once there is enough of it; then each time. */
  add(at: number, weight: number, enough: number): { times: number; begin: number } | undefined {
    if (at - this.#since > WINDOW_MS) {
      this.#isOn = this.#isOn && this.#weight >= enough;
      this.#since = at;
      this.#weight = 0;
      this.#count = 0;
    }
    this.#weight += weight;
    this.#count++;
    if (this.#isOn) return { times: 1, begin: at };
    if (this.#weight < enough) return undefined;
    this.#isOn = true;
    return { times: this.#count, begin: this.#since };
  }

  stop(): void {
    this.#since = Number.NEGATIVE_INFINITY;
    this.#isOn = false;
  }
}

const WINDOW_MS = 1000;
/** So many refusals of one version in a second are no second try. */
const REFUSALS = 5;
/** Twenty responses a second that bring nothing, or two hundred that change something. */
const STORM = 200;
const IDLE_WEIGHT = 10;
/** So often the same contents come under a new version before that is worth a word. */
const REPEATS = 3;

interface ResponseHistory {
  /** Other names have been asked for since the last response, which is a reason to answer. */
  isAskedAnew: boolean;
  names: readonly string[] | undefined;
  refusedVersion: string | undefined;
  refusals: Burst;
  storm: Burst;
  last: { at: number; version: string } | undefined;
  repeats: number;
}

const FRAME = 'xDS response validation errors: [';

/** What is wrong, out of the frame that every NACK has (R1.20). */
function reasonIn(nack: string): string {
  return shortened(nack.startsWith(FRAME) ? nack.slice(FRAME.length, -1) : nack);
}

/** Responses that come again and again. */
export function repeatedResponses(report: Report): Rule {
  const memory = new PerStreamState<ResponseHistory>(() => ({
    isAskedAnew: true,
    names: undefined,
    refusedVersion: undefined,
    refusals: new Burst(),
    storm: new Burst(),
    last: undefined,
    repeats: 0,
  }));

  function refused(event: ResponseEvent, seen: ResponseHistory): void {
    const { at, scope, server, typeUrl, version } = event;
    if (seen.refusedVersion !== version) seen.refusals.stop();
    seen.refusedVersion = version;
    const burst = seen.refusals.add(at, 1, REFUSALS);
    if (burst === undefined) return;
    const message = `${shortType(typeUrl)} version ${version} is sent again as soon as it is refused: ${reasonIn(event.refused ?? '')}`;
    report({ code: 'XI203', at, scope, server, typeUrl, message, isRepeated: true, ...burst });
  }

  function stormy({ at, scope, server, typeUrl, version, names, changed }: ResponseEvent, seen: ResponseHistory): void {
    const burst = seen.storm.add(at, changed === 0 ? IDLE_WEIGHT : 1, STORM);
    if (burst === undefined) return;
    // Some servers take the wildcard for the name of a resource, which they do not have.
    const isWildcard = names.length === 0 && seen.names?.includes('*') === true;
    const idle = isWildcard
      ? 'sent again and again with nothing in it to whoever asks for "*"'
      : 'sent again and again with nothing new in it';
    const how = changed === 0 ? idle : 'changed again and again';
    const message = `${shortType(typeUrl)} is ${how}, now version ${version}`;
    report({ code: 'XI214', at, scope, server, typeUrl, message, isRepeated: true, ...burst });
  }

  function repeated(
    { at, scope, server, typeUrl, version, names, changed }: ResponseEvent,
    seen: ResponseHistory,
  ): void {
    const { last } = seen;
    if (last === undefined || last.version === version || changed > 0 || names.length === 0) return;
    if (at - last.at < WINDOW_MS || ++seen.repeats < REPEATS) return;
    const times = seen.repeats === REPEATS ? REPEATS : 1;
    const message = `${shortType(typeUrl)} comes again under new versions with nothing new in it, now ${version}`;
    report({ code: 'XI222', at, scope, server, typeUrl, message, times });
  }

  return {
    request({ stream, typeUrl, names }) {
      const seen = memory.of(stream, typeUrl);
      if (seen.names !== names) seen.isAskedAnew = true;
      seen.names = names;
    },
    response(event) {
      const seen = memory.of(event.stream, event.typeUrl);
      const isAnswer = seen.isAskedAnew || event.added > 0;
      seen.isAskedAnew = false;
      if (!isAnswer) {
        if (event.refused !== undefined) refused(event, seen);
        else {
          stormy(event, seen);
          repeated(event, seen);
        }
      }
      seen.last = { at: event.at, version: event.version };
    },
    forget: (stream) => memory.forget(stream),
  };
}
