import { SEVERITIES } from '../../base/finding.js';
import type { BootstrapReport } from '../../bootstrap/report.js';
import { excerptOf } from '../excerpt.js';
import { visible } from '../visible-text.js';
import { findingRow, rowLines } from './findings.js';
import type { Paint } from './paint.js';

/** A report as a person reads it: problems by place, then the verdict in gRPC's words. */
export function bootstrapText(
  bytes: Uint8Array,
  { problems, error }: BootstrapReport,
  { excerpts, paint }: { excerpts: boolean; paint: Paint },
): string {
  const rows = problems.map((problem) => ({
    ...findingRow(problem),
    below: excerpts ? excerptOf(bytes, problem.place) : [],
  }));
  const verdict =
    error === null
      ? [`${paint.good('accepted')}: gRPC takes this bootstrap${count(problems)}`]
      : [`${paint.error('rejected')}: gRPC (C-core) would say`, `  ${visible(error)}`];
  return `${[...rowLines(rows, paint), ...verdict].join('\n')}\n`;
}

function count(problems: BootstrapReport['problems']): string {
  const parts = SEVERITIES.flatMap((severity) => {
    const n = problems.filter((p) => p.severity === severity).length;
    return n === 0 ? [] : [`${n} ${severity}${n === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
