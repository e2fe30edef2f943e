import { formatMillis } from '../../base/duration.js';
import { didYouMean } from '../../base/nearest.js';
import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { hasLostAuthority, isLost } from '../../engine/lost.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { lostServer, resourceHints } from '../../view/explain-hints.js';
import type { Comparator, Condition } from './condition.js';
import { Readiness } from './readiness.js';

/** Whether a condition holds, and what is the case. */
export interface Judged {
  ok: boolean;
  actual: string;
  hints: readonly string[];
  /** It does not hold for want of a server that could make it true. */
  isLost: boolean;
  /** Since when it holds, where that is not when one looks. */
  since?: number;
}

interface Moment {
  scopes: readonly ScopeSnapshot[];
  now: number;
  /** When something last changed. */
  changedAt: number;
}

type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;
type OfResource = Of<'status' | 'version' | 'endpoints'>;

const holds = (actual: string): Judged => ({ ok: true, actual, hints: [], isLost: false });

/** Judges conditions by what is known at one moment. */
export class ConditionJudge {
  readonly #nodeId: string | undefined;
  readonly #readiness: Readiness;

  constructor(nodeId: string | undefined) {
    this.#nodeId = nodeId;
    this.#readiness = new Readiness(nodeId);
  }

  judge(condition: Condition, moment: Moment): Judged {
    if (moment.scopes.length === 0) return notYet('no target is followed yet');
    switch (condition.kind) {
      case 'ready':
        return this.#ready(moment);
      case 'acked':
        return this.#acked(moment);
      case 'stable':
        return this.#stable(condition, moment);
      default:
        return this.#resource(condition, moment);
    }
  }

  #ready({ scopes }: Moment): Judged {
    for (const scope of scopes) {
      for (const channel of scope.channels) {
        const unready = this.#readiness.whyNot(scope, channel);
        if (unready === undefined) continue;
        const actual = `${channel.target}: ${unready.reason}`;
        return { ok: false, actual, hints: unready.hints, isLost: hasLostAuthority(scope) };
      }
    }
    return holds('RPCs have somewhere to go');
  }

  #acked({ scopes }: Moment): Judged {
    const all = scopes.flatMap(({ entries }) => entries);
    const open = all.filter(({ status }) => status !== 'ACKED');
    const count = `${all.length - open.length} of ${all.length} ACKED`;
    const [first] = open;
    if (first === undefined) return holds(count);
    return this.#missing(scopes, first, `${count} · ${nameOf(first)} is ${stateOf(first)}`);
  }

  /** Nothing is waited for, and nothing has changed: a control plane that never spoke is not stable. */
  #stable({ forMs }: Of<'stable'>, { scopes, now, changedAt }: Moment): Judged {
    const open = scopes.flatMap(({ entries }) => entries).find(({ status }) => status === 'REQUESTED');
    if (open !== undefined) return this.#missing(scopes, open, `${nameOf(open)} is still REQUESTED`);
    const waiting = scopes
      .flatMap(({ channels }) => channels)
      .find(({ state, isWithheld }) => state.kind === 'none' || isWithheld);
    if (waiting !== undefined) return notYet(`${waiting.target}: a configuration is still incomplete`);
    const actual = `unchanged for ${formatMillis(now - changedAt)}`;
    return now - changedAt >= forMs ? { ...holds(actual), since: changedAt + forMs } : notYet(actual);
  }

  /** It has to hold in every scope that asks for the resource, and one has to. */
  #resource(condition: OfResource, { scopes }: Moment): Judged {
    const typeUrl = RESOURCE_TYPES[condition.type];
    const entries = scopes.flatMap((scope) => {
      const entry = scope.entry(typeUrl, condition.name);
      return entry === undefined || entry.watchers.length === 0 ? [] : [entry];
    });
    const judged = entries.map((entry) => ({ entry, ...compare(condition, entry) }));
    const [first] = judged;
    if (first === undefined) return notAsked(condition, scopes);
    const bad = judged.find(({ ok }) => !ok);
    return bad === undefined ? holds(first.actual) : this.#missing(scopes, bad.entry, bad.actual);
  }

  #missing(scopes: readonly ScopeSnapshot[], entry: CacheEntry, actual: string): Judged {
    const scope = scopes.find(({ entries }) => entries.includes(entry));
    const authority = scope?.authorities.find(({ name }) => name === entry.authority);
    if (scope === undefined || authority === undefined) return notYet(actual);
    const lost = isLost(authority) ? lostServer(scope) : undefined;
    if (lost !== undefined) return { ok: false, actual, hints: [lost], isLost: true };
    // One that is in use needs no advice: a number or a version is awaited.
    const hints = entry.status === 'ACKED' ? [] : resourceHints(entry, { scope, nodeId: this.#nodeId });
    return { ok: false, actual, hints, isLost: false };
  }
}

function notYet(actual: string): Judged {
  return { ok: false, actual, hints: [], isLost: false };
}

function notAsked({ type, name }: OfResource, scopes: readonly ScopeSnapshot[]): Judged {
  const lost = scopes.find(hasLostAuthority);
  const known = scopes.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.typeUrl === RESOURCE_TYPES[type] ? [entry.name] : [])),
  );
  const actual = `no target needs ${type} ${name}${didYouMean(name, known)}`;
  const hint = lost && lostServer(lost);
  return { ok: false, actual, hints: hint === undefined ? [] : [hint], isLost: lost !== undefined };
}

function compare(condition: OfResource, entry: CacheEntry): { ok: boolean; actual: string } {
  switch (condition.kind) {
    case 'status':
      return { ok: (entry.status === condition.status) !== condition.isNot, actual: stateOf(entry) };
    case 'version': {
      if (entry.resource === undefined) return { ok: false, actual: `no version in use: ${stateOf(entry)}` };
      return { ok: (entry.version === condition.version) !== condition.isNot, actual: `version ${entry.version}` };
    }
    case 'endpoints': {
      if (entry.resource?.type !== 'EDS') return { ok: false, actual: `no endpoints known: ${stateOf(entry)}` };
      const all = entry.resource.value.priorities.flat().flatMap(({ endpoints }) => endpoints);
      const usable = all.filter(({ health }) => health !== 'draining').length;
      const draining = all.length === usable ? '' : `, ${all.length - usable} draining`;
      return {
        ok: COMPARE[condition.comparator](usable, condition.count),
        actual: `${usable} endpoint${usable === 1 ? '' : 's'}${draining}`,
      };
    }
  }
}

const COMPARE: Record<Comparator, (a: number, b: number) => boolean> = {
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '!=': (a, b) => a !== b,
  '=': (a, b) => a === b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
};

function nameOf({ typeUrl, name }: CacheEntry): string {
  return `${shortType(typeUrl)} ${name}`;
}

/** `NACKED: INVALID_ARGUMENT: …` */
function stateOf({ status, error }: CacheEntry): string {
  return error === undefined ? status : `${status}: ${statusName(error.status.code)}: ${error.status.message}`;
}
