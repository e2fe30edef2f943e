import { isVariedPart } from '../conformance/client/varied.js';
import { sorted } from '../conformance/comparison.js';

/** One expectation that differs from the earlier recording. */
interface Change {
  id: string;
  what: string;
  before: unknown;
  now: unknown;
}

export interface EqualParts {
  equal: number;
  all: number;
  changes: Change[];
}

interface Recorded {
  scenarios?: RecordedScenario[];
  cases?: Record<string, unknown>[];
}

interface RecordedScenario {
  id: string;
  varied?: string[];
  expected: Record<string, unknown[]>;
}

/** Counts the equal expectations of two recordings of the same inputs. Ignores durations. */
export function equalParts(before: object, now: object): EqualParts {
  const result: EqualParts = { equal: 0, all: 0, changes: [] };
  const compare = (id: string, what: string, a: unknown, b: unknown): void => {
    result.all++;
    if (JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))) result.equal++;
    else result.changes.push({ id, what, before: a, now: b });
  };
  const [old, made] = [before as Recorded, now as Recorded];
  for (const [index, one] of (old.cases ?? []).entries()) {
    const other = made.cases?.[index] ?? {};
    compare(String(one.id ?? `case ${index}`), 'expectation', comparable(one), comparable(other));
  }
  for (const [index, one] of (old.scenarios ?? []).entries()) {
    const other = made.scenarios?.[index];
    if (other !== undefined) compareScenarios(one, other, compare);
  }
  return result;
}

function compareScenarios(
  before: RecordedScenario,
  now: RecordedScenario,
  compare: (id: string, what: string, a: unknown, b: unknown) => void,
): void {
  const varied = [...(before.varied ?? []), ...(now.varied ?? [])];
  if (!isVariedPart(varied, 'subscriptions')) {
    compare(before.id, 'subscriptions', before.expected.subscriptions, now.expected.subscriptions);
  }
  for (const part of ['answers', 'csds', 'rpcs'] as const) {
    for (const [index, one] of (before.expected[part] ?? []).entries()) {
      const { label } = one as { label?: string };
      if (isVariedPart(varied, part, label)) continue;
      const place = `${part} ${label ?? `step ${(one as { step: number }).step}`}`;
      compare(before.id, place, withoutTime(one), withoutTime(now.expected[part]?.[index]));
    }
  }
}

/** Without the status of RPCs, which recordings contain only for information. */
function comparable(one: Record<string, unknown>): unknown {
  const { expect, ...rest } = one;
  if (expect === undefined) return rest;
  const { rpc_status: _status, ...kept } = expect as Record<string, unknown>;
  return kept;
}

function withoutTime(one: unknown): unknown {
  const { seconds: _seconds, ...rest } = (one ?? {}) as Record<string, unknown>;
  return rest;
}
