import type { FindingView } from '../finding.js';
import type { Page } from '../formats.js';
import { timesText } from '../times.js';
import { visibleShort } from '../visible-text.js';
import type { Paint } from './bootstrap.js';
import { fitLines } from './wrap.js';

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

/** Below a report for people: what the control plane does wrong on the wire. */
export function findingsText(findings: readonly FindingView[], { paint, width }: Pick<Page, 'paint' | 'width'>): string {
  if (findings.length === 0) return '';
  return fitLines(`\nThe control plane:\n${findingLines(findings, paint).join('\n')}\n`, width);
}
