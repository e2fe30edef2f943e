import type { Page } from '../formats.js';
import type { ShownVerdict } from '../verdict-text.js';
import { visible } from '../visible-text.js';
import { verdictLine } from './verdict-lines.js';
import { wrapped } from './wrap.js';

/** Further targets are counted. */
const MAX_TARGETS = 10;

/** The verdicts of targets with their causes, one per line. */
export function verdictList(
  verdicts: readonly { name: string; verdict: ShownVerdict }[],
  { paint, width }: Pick<Page, 'paint' | 'width'>,
): string[] {
  const shown = verdicts.slice(0, MAX_TARGETS);
  const lines = shown.flatMap(({ name, verdict }) =>
    wrapped(verdictLine(visible(name), verdict, paint), width, '    '),
  );
  const more = verdicts.length - shown.length;
  return more > 0 ? [...lines, paint.dim(`and ${more} more`)] : lines;
}
