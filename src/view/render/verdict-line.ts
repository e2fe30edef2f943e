import type { Verdict, VerdictWord } from '../../inspect/verdict/verdict.js';
import type { Page } from '../formats.js';
import { verdictHead } from '../verdict-text.js';
import { visible } from '../visible-text.js';
import type { Paint } from './paint.js';
import { wrapped } from './wrap.js';

/** A target as it was typed, and what RPCs to it get. */
export interface NamedVerdict {
  name: string;
  verdict: Pick<Verdict, 'target' | 'verdict' | 'cause'>;
}

/** More targets are counted. */
const MAX_LINES = 10;

const COLORS: Record<VerdictWord, keyof Paint> = {
  ok: 'good',
  partly: 'warning',
  fails: 'error',
  waiting: 'warning',
  unknown: 'dim',
};

/** `xds:///greeter  FAILS  no listener "greeter": …`, a line per target. */
export function verdictLines(verdicts: readonly NamedVerdict[], { paint, width }: Pick<Page, 'paint' | 'width'>): string[] {
  const shown = verdicts.slice(0, MAX_LINES).flatMap(({ name, verdict }) => {
    const line = `${visible(name)}  ${verdictWord(verdict, paint)}${verdictHead(verdict).tail}`;
    return wrapped(line, width, '  ');
  });
  const more = verdicts.length - MAX_LINES;
  return more > 0 ? [...shown, paint.dim(`and ${more} more`)] : shown;
}

export function verdictWord(verdict: NamedVerdict['verdict'], paint: Paint): string {
  return paint[COLORS[verdict.verdict]](verdictHead(verdict).word);
}
