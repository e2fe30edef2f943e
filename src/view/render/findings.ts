import { displayWidth, padTo } from '../../base/display-width.js';
import type { LocatedFinding } from '../../base/finding.js';
import { timesText } from '../../base/times-text.js';
import type { FindingView } from '../../inspect/finding-view.js';
import type { Page } from '../formats.js';
import { visible, visibleShort } from '../visible-text.js';
import type { Paint } from './paint.js';
import { fitLines } from './wrap.js';

/** Each protocol finding in two lines: the message, and the advice. */
export function findingLines(findings: readonly FindingView[], paint: Paint): string[] {
  return findings.flatMap(({ code, severity, message, advice, count, rate, ongoing, durationMs }) => {
    const times = timesText(count, durationMs, rate ?? undefined);
    const occurrences = times === '' ? '' : `${times}${ongoing ? ', ongoing' : ''}: `;
    return [
      `  ${paint[severity](`${code} ${severity}`)}  ${occurrences}${visibleShort(message)}`,
      `  ${' '.repeat(code.length)} ${paint.dim('→')} ${visibleShort(advice)}`,
    ];
  });
}

/** The section with the protocol findings, at the end of a text. */
export function findingsText(
  findings: readonly FindingView[],
  { paint, width }: Pick<Page, 'paint' | 'width'>,
): string {
  if (findings.length === 0) return '';
  return fitLines(`\nFindings\n${findingLines(findings, paint).join('\n')}\n`, width);
}

/** A line about a file: place, severity and text, and lines below it. */
export interface FindingRow {
  place: string;
  level: keyof Paint;
  word: string;
  text: string;
  below?: readonly string[];
}

/** Words that replace the severity. */
const WORDS: Record<string, string> = { XI100: 'NACK', XI101: 'ignored' };

/** Codes that are not printed, since the word already states them. The message of a note (XI104) has its own code. */
const UNPRINTED: ReadonlySet<string> = new Set(['XI001', 'XI002', 'XI100', 'XI101', 'XI104', 'unreadable']);

/** A finding in a file; `about` is the resource that it is in. */
export function findingRow({ code, severity, place, message }: LocatedFinding, about = ''): FindingRow {
  const { source, path, line, column } = place;
  const what = path === '' ? message : `${path}: ${message}`;
  return {
    place: visible(`${source}:${line}:${column}`),
    level: severity,
    word: WORDS[code] ?? severity,
    text: visible(`${UNPRINTED.has(code) ? '' : `${code} `}${what}${about === '' ? '' : `  [${about}]`}`),
  };
}

/** Rows with aligned columns. */
export function rowLines(rows: readonly FindingRow[], paint: Paint): string[] {
  const width = Math.max(0, ...rows.map(({ place }) => displayWidth(place)));
  return rows.flatMap(({ place, level, word, text, below = [] }) => [
    `${padTo(place, width)}  ${paint[level](word.padEnd(7))}  ${text}`,
    ...below.map(paint.dim),
  ]);
}
