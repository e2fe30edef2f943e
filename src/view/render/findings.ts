import type { FindingView } from '../finding.js';
import { timesText } from '../times.js';
import { visibleShort } from '../visible-text.js';
import type { Paint } from './bootstrap.js';

/** Each finding in two lines: what, and what to do. */
export function findingLines(findings: readonly FindingView[], paint: Paint): string[] {
  return findings.flatMap(({ code, severity, message, advice, count, rate, ongoing, durationMs }) => {
    const times = timesText(count, durationMs, rate ?? undefined);
    const often = times === '' ? '' : `${times}${ongoing ? ', still going' : ''}: `;
    return [
      `  ${paint[severity](`${code} ${severity}`)}  ${often}${visibleShort(message)}`,
      `  ${' '.repeat(code.length)} ${paint.dim('→')} ${visibleShort(advice)}`,
    ];
  });
}
