import { REDACTED, redactText } from '../../base/secret-name.js';
import { contentChanges } from '../../inspect/diff/content-changes.js';
import type { Change } from '../../inspect/diff/diff.js';
import { type ElementStep, valueAt } from '../../inspect/diff/path.js';
import type { ResourceDifference } from '../../inspect/diff/set-diff.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { redactJson } from '../../proto/json/redact-json.js';

/** Stands for the second of two secrets that differ. */
export const DIFFERS = `${REDACTED}, differs`;

/** A change as output shows it. */
export interface ShownChange {
  /** Empty for the whole resource. */
  path: string;
  kind: Change['kind'];
  /** Redacted unless secrets are shown; `undefined` if the value was added. */
  before: unknown;
  after: unknown;
  /** Both values are secret: only the fact that they differ is shown. */
  isSecret: boolean;
  /** The place of a moved element. */
  moved: { from: number; to: number } | undefined;
}

/** What changed in a resource; a resource that one side lacks is one change with an empty path. */
export interface ShownChanges {
  changes: ShownChange[];
  /** Sentences on what the changes do not show. */
  notes: string[];
}

/** Decodes both sides of a resource and compares them. Secrets are compared before they are redacted. */
export function shownChanges(difference: ResourceDifference, showSecrets: boolean): ShownChanges {
  const { change, before, after, typeUrl } = difference;
  if (change !== 'changed' || before === undefined || after === undefined)
    return { changes: wholeResource(difference, showSecrets), notes: [] };
  const found = difference.facts.includes('contents') ? contentChanges(before, after) : undefined;
  if (found === undefined) return { changes: [], notes: [] };
  const { changes, notes } = found;
  if (showSecrets) return { changes: changes.map((one) => shown(one, one.before, one.after)), notes };
  const [was, is] = [found.before, found.after].map((json) => redactJson(xdsCatalogue, typeUrl, json));
  return {
    changes: changes.map((one) => {
      const old = one.before === undefined ? undefined : knownValue(valueAt(was, one.steps, 'before'));
      const current = one.after === undefined ? undefined : knownValue(valueAt(is, one.steps, 'after'));
      return shown(one, old, current);
    }),
    notes: notes.map((note) => redactText(note)),
  };
}

/** The contents of a resource as output shows them; `undefined` if they are unknown. */
export function shownContents(resource: ResourceDifference['before'], typeUrl: string, showSecrets: boolean): unknown {
  const contents = resource?.contents();
  return contents === undefined || showSecrets ? contents : redactJson(xdsCatalogue, typeUrl, contents);
}

/** A value that redaction has replaced together with what contains it. */
function knownValue(value: unknown): unknown {
  return value === undefined ? REDACTED : value;
}

function wholeResource({ change, before, after, typeUrl }: ResourceDifference, showSecrets: boolean): ShownChange[] {
  const isAdded = change === 'added';
  const contents = shownContents(isAdded ? after : before, typeUrl, showSecrets);
  if (contents === undefined) return [];
  const values = isAdded ? { before: undefined, after: contents } : { before: contents, after: undefined };
  return [{ path: '', kind: isAdded ? 'added' : 'removed', ...values, isSecret: false, moved: undefined }];
}

function shown({ path, steps, kind, before, after }: Change, was: unknown, is: unknown): ShownChange {
  const place = steps.at(-1) as ElementStep | undefined;
  const isSecret = kind === 'changed' && isHiddenChange({ before, after }, was, is);
  return {
    path: redactText(path),
    kind,
    before: was,
    after: isSecret ? differsText(was) : is,
    isSecret,
    moved: kind === 'moved' ? { from: place?.before ?? 0, to: place?.after ?? 0 } : undefined,
  };
}

/** Whether two different values look the same, because what differs is redacted. */
export function isHiddenChange(
  { before, after }: Pick<Change, 'before' | 'after'>,
  was: unknown,
  is: unknown,
): boolean {
  return (was !== before || is !== after) && JSON.stringify(was) === JSON.stringify(is);
}

/** A text can contain more than the secret, as a URI does. */
export function differsText(value: unknown): string {
  return typeof value === 'string' ? `${value}, differs` : DIFFERS;
}
