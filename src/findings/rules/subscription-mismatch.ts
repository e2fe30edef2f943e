import type { RequestEvent, ResponseEvent } from '../../core/event.js';
import type { StreamId } from '../../core/input.js';
import { isCompleteInEveryResponse, RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { listed } from '../message-text.js';
import { PerStreamState } from '../per-stream-state.js';
import { RequestedNames } from '../requested-names.js';
import type { Report, Rule } from '../rule.js';

/** Endpoints that arrived earlier than this before their request are unrelated to the cluster. */
const EARLY_MS = 10_000;
const MAX_EARLY = 100;

/** Compares the names in responses with the requested names. */
export function subscriptionMismatch(report: Report): Rule {
  const requested = new PerStreamState(() => new RequestedNames());
  const streams = new Map<string, StreamId>();
  /** Arrival times of endpoints that were not requested, by name. */
  const early = new PerStreamState(() => new Map<string, number>());
  /** Names that the current response omits. Their deletion errors are not reported again. */
  let reportedNames: ReadonlySet<string> = new Set();

  function checkOmitted(event: ResponseEvent): void {
    const { at, scope, server, stream, typeUrl, version, missing, errors } = event;
    const names = requested.of(stream, typeUrl);
    const omitted = missing.filter(
      (name) => !errors.some((error) => error.name === name) && names.wasSurelyRequested(name, at),
    );
    reportedNames = new Set(omitted);
    if (omitted.length === 0) return;
    const message = `${shortType(typeUrl)} version ${version} omits ${listed(omitted)}, which the client requested`;
    report({ code: 'XI204', at, scope, server, typeUrl, names: omitted, message });
  }

  function checkUnrequested({ at, scope, server, stream, typeUrl, version, unrequested, errors }: ResponseEvent): void {
    const names = requested.of(stream, typeUrl);
    const who = { at, scope, server, typeUrl };
    const what = `${shortType(typeUrl)} version ${version}`;
    const surplus = unrequested.filter((name) => names.wasSurelyNotRequested(name, at));
    if (surplus.length > 0) {
      const message = `${what} contains ${listed(surplus)}, which the client did not request`;
      report({ ...who, code: 'XI205', names: surplus, message });
    }
    if (typeUrl === RESOURCE_TYPES.EDS) {
      const known = early.of(stream, typeUrl);
      for (const name of surplus) if (known.size < MAX_EARLY) known.set(name, at);
    }
    // A name with an authority has several spellings, and only the cache normalizes them.
    const failed = errors.flatMap(({ name }) => (name === '' || name.startsWith('xdstp:') ? [] : [name]));
    const unrequestedErrors = failed.filter((name) => names.wasSurelyNotRequested(name, at));
    if (unrequestedErrors.length === 0) return;
    const message = `${what} reports an error for ${listed(unrequestedErrors)}, which the client did not request`;
    report({ ...who, code: 'XI212', names: unrequestedErrors, message });
  }

  function checkEarlyEndpoints({ at, scope, server, stream, typeUrl, names }: RequestEvent): void {
    const known = early.get(stream, typeUrl);
    if (known === undefined || known.size === 0) return;
    const wanted = new Set(names);
    for (const [name, arrivedAt] of known) {
      if (at - arrivedAt > EARLY_MS) known.delete(name);
      if (at - arrivedAt > EARLY_MS || !wanted.has(name)) continue;
      known.delete(name);
      const message = `EDS ${name} arrived before the cluster that refers to it`;
      report({ code: 'XI213', at, scope, server, typeUrl, names: [name], message });
    }
  }

  return {
    stream({ scope, server, stream, change }) {
      if (change === 'opened') streams.set(`${scope} ${server}`, stream);
      else streams.delete(`${scope} ${server}`);
    },
    request(event) {
      if (requested.of(event.stream, event.typeUrl).add(event.names, event.at)) checkEarlyEndpoints(event);
    },
    response(event) {
      checkOmitted(event);
      if (event.unrequested.length > 0 || event.errors.length > 0) checkUnrequested(event);
    },
    /** R1.30: gRPC treats a cached resource as deleted if a response omits it. */
    error({ at, scope, server, typeUrl, name, cause, version, watchers }) {
      if (cause !== 'deletion' || watchers === 0 || reportedNames.has(name) || !isCompleteInEveryResponse(typeUrl))
        return;
      const stream = streams.get(`${scope} ${server}`) ?? 0;
      if (requested.get(stream, typeUrl)?.wasSurelyRequested(name, at) !== true) return;
      const message = `${shortType(typeUrl)} version ${version} omits ${listed([name])}, which the client requested`;
      report({ code: 'XI204', at, scope, server, typeUrl, names: [name], message });
    },
    forget(stream) {
      requested.forget(stream);
      early.forget(stream);
    },
  };
}
