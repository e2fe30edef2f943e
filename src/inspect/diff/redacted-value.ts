import { REDACTED, redactText } from '../../base/secret-name.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { redactJson } from '../../proto/json/redact-json.js';
import type { Change, ResourceDiff } from './diff.js';
import { valueAt } from './path.js';

/** How the redactors of recordings and of Envoy begin a secret: as text, as a regular expression, or as base64. */
const REPLACED = [REDACTED, 'redacted', '(redacted', 'W3JlZGFjdGVk', 'W3JlZGFjdGVkXQ=='];
/** Recordings pad a secret to its length and number it. */
const PADDING = /\.*\d*$/;

/**
 * Removes changes of secrets of which a side only has a redacted form: it is unknown whether they differ. Returns the
 * other changes, and how many were removed.
 */
export function withoutRedacted(
  diff: ResourceDiff,
  typeUrl: string,
  before: unknown,
  after: unknown,
): ResourceDiff & { unknownSecrets: number } {
  if (!diff.changes.some(mayBeRedacted)) return { ...diff, unknownSecrets: 0 };
  const [was, is] = [before, after].map((json) => redactJson(xdsCatalogue, typeUrl, json));
  const isUnknown = (change: Change): boolean =>
    mayBeRedacted(change) && valueAt(was, change.steps, 'before') === valueAt(is, change.steps, 'after');
  const changes = diff.changes.filter((change) => !isUnknown(change));
  return { changes, notes: diff.notes, unknownSecrets: diff.changes.length - changes.length };
}

function mayBeRedacted({ kind, before, after }: Change): boolean {
  if (kind !== 'changed') return false;
  if ([before, after].some(isReplaced)) return true;
  return typeof before === 'string' && typeof after === 'string' && isSameUri(before, after);
}

/** A URI of which one side has no password or token. */
function isSameUri(before: string, after: string): boolean {
  return redactText(before) === after || redactText(after) === before;
}

/** Short secrets are replaced by the beginning of the word, and numbers by 0. */
function isReplaced(text: unknown): boolean {
  if (typeof text !== 'string') return text === 0;
  const start = text.replace(PADDING, '');
  return REPLACED.some((word) => text.startsWith(word) || (start.length >= 2 && word.startsWith(start)));
}
