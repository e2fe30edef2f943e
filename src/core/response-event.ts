import type { AppliedResponse } from './response-store.js';

/** The fields of a response event that tell what the response changed. */
export function appliedFields(applied: AppliedResponse | undefined) {
  const { nack: refused, added = 0, changed = 0, unrequested = [] } = applied ?? {};
  return { refused, added, changed, unrequested };
}
