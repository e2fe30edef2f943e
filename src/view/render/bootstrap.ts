import type { BootstrapProblem, BootstrapReport } from '../../bootstrap/report.js';
import { excerptOf } from '../excerpt.js';
import { visible } from '../visible-text.js';

/** How to colour a report; see `paint`. */
export type Paint = Record<'error' | 'warning' | 'note' | 'good' | 'dim', (text: string) => string>;

/** A report as a person reads it: problems by place, then the verdict in gRPC's words. */
export function bootstrapText(
  source: string,
  bytes: Uint8Array,
  report: BootstrapReport,
  style: { excerpts: boolean; paint: Paint },
): string {
  const { paint } = style;
  const lines = report.problems.flatMap((problem) => {
    const excerpt = style.excerpts ? excerptOf(bytes, problem) : [];
    return [
      `${visible(source)}:${problem.line}:${problem.column}  ${paint[problem.severity](problem.severity.padEnd(7))}  ${describe(problem)}`,
      ...excerpt.map(paint.dim),
    ];
  });
  if (report.error === null)
    lines.push(`${paint.good('accepted')}: gRPC takes this bootstrap${count(report.problems)}`);
  else lines.push(`${paint.error('rejected')}: gRPC (C-core) would say`, `  ${visible(report.error)}`);
  return `${lines.join('\n')}\n`;
}

function describe({ code, path, message }: BootstrapProblem): string {
  const what = visible(path === '' ? message : `${path}: ${message}`);
  return code === 'XI001' || code === 'XI002' ? what : `${code} ${what}`;
}

function count(problems: readonly BootstrapProblem[]): string {
  const parts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const n = problems.filter((p) => p.severity === severity).length;
    return n === 0 ? [] : [`${n} ${severity}${n === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
