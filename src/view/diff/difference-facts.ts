import type { ResourceDifference } from '../../inspect/diff/set-diff.js';

/** A fact about a resource, other than its contents, that differs between the sides. */
export interface FactChange {
  name: 'status' | 'version';
  before: string;
  after: string;
}

/** The status and the version, where they count as a difference. */
export function factChanges({ before, after, facts }: ResourceDifference): FactChange[] {
  return (['status', 'version'] as const).flatMap((name) =>
    facts.includes(name) ? [{ name, before: before?.[name] ?? '', after: after?.[name] ?? '' }] : [],
  );
}

/** Whether the difference is known from the version only, because a side has no contents. */
export function isByVersionOnly({ change, facts, before, after }: ResourceDifference): boolean {
  if (change !== 'changed' || facts.includes('contents') || !facts.includes('version')) return false;
  return before?.contents() === undefined || after?.contents() === undefined;
}
