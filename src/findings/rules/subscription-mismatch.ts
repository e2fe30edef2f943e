import type { RequestEvent, ResponseEvent } from '../../core/event.js';
import type { StreamId } from '../../core/input.js';
import { isCompleteInEveryResponse, RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { listed } from '../message-text.js';
import { PerStreamState } from '../per-stream-state.js';
import { RequestedNames } from '../requested-names.js';
import type { Report, Rule } from '../rule.js';

/** Endpoints that came so long before they were asked for have nothing to do with the cluster that came since. */
const EARLY_MS = 10_000;
const MAX_EARLY = 100;

/** What is answered compared with what was asked for. */
export function subscriptionMismatch(report: Report): Rule {
  const asked = new PerStreamState(() => new RequestedNames());
  const streams = new Map<string, StreamId>();
  /** Endpoints that nobody had asked for, by name, with their time. */
  const early = new PerStreamState(() => new Map<string, number>());
  /** What the response at hand leaves out, which is not told again for being deleted by it. */
  let told: ReadonlySet<string> = new Set();

  function leftOut(event: ResponseEvent): void {
    const { at, scope, server, stream, typeUrl, version, missing, errors } = event;
    const names = asked.of(stream, typeUrl);
    const left = missing.filter(
      (name) => !errors.some((error) => error.name === name) && names.wasSurelyRequested(name, at),
    );
    told = new Set(left);
    if (left.length === 0) return;
    const message = `${shortType(typeUrl)} version ${version} leaves out ${listed(left)}, which this stream has asked for`;
    report({ code: 'XI204', at, scope, server, typeUrl, names: left, message });
  }

  function unasked({ at, scope, server, stream, typeUrl, version, unrequested, errors }: ResponseEvent): void {
    const names = asked.of(stream, typeUrl);
    const who = { at, scope, server, typeUrl };
    const what = `${shortType(typeUrl)} version ${version}`;
    const surplus = unrequested.filter((name) => names.wasSurelyNotRequested(name, at));
    if (surplus.length > 0) {
      const message = `${what} brings ${listed(surplus)}, which was not asked for`;
      report({ ...who, code: 'XI205', names: surplus, message });
    }
    if (typeUrl === RESOURCE_TYPES.EDS) {
      const known = early.of(stream, typeUrl);
      for (const name of surplus) if (known.size < MAX_EARLY) known.set(name, at);
    }
    // A name with an authority has several spellings, of which only the cache knows that they are one.
    const failed = errors.flatMap(({ name }) => (name === '' || name.startsWith('xdstp:') ? [] : [name]));
    const strange = failed.filter((name) => names.wasSurelyNotRequested(name, at));
    if (strange.length === 0) return;
    const message = `${what} reports an error for ${listed(strange)}, which was not asked for`;
    report({ ...who, code: 'XI212', names: strange, message });
  }

  function late({ at, scope, server, stream, typeUrl, names }: RequestEvent): void {
    const known = early.get(stream, typeUrl);
    if (known === undefined || known.size === 0) return;
    const wanted = new Set(names);
    for (const [name, cameAt] of known) {
      if (at - cameAt > EARLY_MS) known.delete(name);
      if (at - cameAt > EARLY_MS || !wanted.has(name)) continue;
      known.delete(name);
      const message = `EDS ${name} came before the cluster that leads to it`;
      report({ code: 'XI213', at, scope, server, typeUrl, names: [name], message });
    }
  }

  return {
    stream({ scope, server, stream, change }) {
      if (change === 'opened') streams.set(`${scope} ${server}`, stream);
      else streams.delete(`${scope} ${server}`);
    },
    request(event) {
      if (asked.of(event.stream, event.typeUrl).add(event.names, event.at)) late(event);
    },
    response(event) {
      leftOut(event);
      if (event.unrequested.length > 0 || event.errors.length > 0) unasked(event);
    },
    /** R1.30: gRPC takes for deleted what it had and a response leaves out. */
    error({ at, scope, server, typeUrl, name, cause, version, watchers }) {
      if (cause !== 'deletion' || watchers === 0 || told.has(name) || !isCompleteInEveryResponse(typeUrl)) return;
      const stream = streams.get(`${scope} ${server}`) ?? 0;
      if (asked.get(stream, typeUrl)?.wasSurelyRequested(name, at) !== true) return;
      const message = `${shortType(typeUrl)} version ${version} leaves out ${listed([name])}, which this stream has asked for`;
      report({ code: 'XI204', at, scope, server, typeUrl, names: [name], message });
    },
    forget(stream) {
      asked.forget(stream);
      early.forget(stream);
    },
  };
}
