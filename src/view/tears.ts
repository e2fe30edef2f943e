import type { HeldBack, Tear } from '../deps/tears/tear.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import { findingViews } from '../inspect/finding-view.js';
import type { Outcome } from '../inspect/outcome.js';
import { isUnanswered, type Seen } from '../inspect/seen.js';
import { timestamp } from '../proto/timestamp.js';
import type { TearsDocument } from './documents.js';

export type TearView = ReturnType<typeof tearView>;
export type HeldBackView = ReturnType<typeof heldBackView>;

/** The tears of a client_scope, oldest first, and what was waited for on the way. */
export interface ScopeTears {
  scope: string;
  heldBack: HeldBackView[];
  tears: TearView[];
  /** Nothing has been received that could be torn: why. */
  unobserved: string | null;
}

export function tearsDocument(seen: Seen, maxTearMs: number): TearsDocument {
  const { as, waitedMs: observedMs, snapshot, now } = seen;
  const scopes = snapshot.map((scope) => scopeTears(scope, now));
  const findings = findingViews(seen.findings);
  return { schema: 'xds-inspect/tears/v1', as, observedMs, maxTearMs, scopes, findings };
}

export function tearsOutcome({ scopes, maxTearMs }: TearsDocument, { hasData, snapshot }: Seen): Outcome {
  return {
    isLost: !hasData,
    // Where nothing was received, nothing can be said.
    isTimedOut: isUnanswered(snapshot),
    hasFindings: scopes.some(({ tears }) => tears.some(({ durationMs }) => durationMs > maxTearMs)),
  };
}

export function scopeTears({ scope, channels, entries, authorities }: ScopeSnapshot, now: number): ScopeTears {
  const isObserved = entries.some(({ resource }) => resource !== undefined);
  const failures = authorities.flatMap(({ servers }) => servers.flatMap(({ failure }) => failure?.message ?? []));
  return {
    scope,
    unobserved: isObserved ? null : (failures.at(-1) ?? 'nothing was received'),
    heldBack: channels.flatMap(({ target, heldBack }) => heldBack.map((span) => heldBackView(target, span))),
    tears: channels
      .flatMap(({ target, tears }) => tears.map((tear) => ({ target, tear })))
      .sort((a, b) => a.tear.begin - b.tear.begin)
      .map(({ target, tear }) => tearView(target, tear, now)),
  };
}

function heldBackView(target: string, { type, name, begin, end }: HeldBack) {
  return { target, type, name, begin: timestamp(begin), end: timestamp(end), durationMs: end - begin };
}

function tearView(target: string, tear: Tear, now: number) {
  const { kind, begin, end, resources, routes, wouldHave, instead } = tear;
  return {
    kind,
    target,
    begin: timestamp(begin),
    end: end === undefined ? null : timestamp(end),
    // Up to now for one that is open.
    durationMs: (end ?? now) - begin,
    resources: resources.map(({ type, name, version, server, status }) => ({
      type,
      name,
      version: version ?? null,
      server: server ?? null,
      status: status ?? null,
    })),
    routes,
    wouldHave,
    instead,
  };
}
