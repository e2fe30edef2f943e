import { type Change, diffResources } from './diff.js';
import { withoutRedacted } from './redacted-value.js';
import type { ComparedResource } from './resource-set.js';

/** The difference of the contents of two resources. */
export interface ContentChanges {
  changes: Change[];
  notes: string[];
  /** Secrets of which a side only has a redacted form. */
  unknownSecrets: number;
  /** Both resources in proto JSON, before redaction. */
  before: unknown;
  after: unknown;
}

/** Decodes both resources and compares them; `undefined` if the contents of one are unknown. */
export function contentChanges(before: ComparedResource, after: ComparedResource): ContentChanges | undefined {
  const was = before.contents();
  const is = was === undefined ? undefined : after.contents();
  if (is === undefined) return undefined;
  const found = withoutRedacted(diffResources(was, is, before.typeUrl), before.typeUrl, was, is);
  return { ...found, before: was, after: is };
}
