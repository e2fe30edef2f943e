import { REDACTED } from '../../base/secret-name.js';
import { shortValues } from './short-value.js';
import type { ShownChange } from './shown-changes.js';

/** The values of a change as short texts: of the side that has one, or of both. */
export function changeValues({ before, after, isSecret, moved }: ShownChange): string[] {
  if (moved !== undefined) return [`index ${moved.from}`, String(moved.to)];
  if (isSecret) return [String(after)];
  const [was, is] = shortValues(before, after);
  const texts = [
    { value: before, short: was },
    { value: after, short: is },
  ];
  return texts.flatMap(({ value, short }) => (value === undefined ? [] : [value === REDACTED ? REDACTED : short]));
}
