import { SEVERITIES } from '../../base/finding.js';
import { bootstrapReader } from '../../bootstrap/readers/readers.js';
import type { BootstrapReport } from '../../bootstrap/report.js';
import { locatedView } from '../../inspect/finding-view.js';
import type { BootstrapDocument } from '../documents.js';
import { excerptOf } from '../excerpt.js';
import type { Page } from '../formats.js';
import { visible } from '../visible-text.js';
import { githubAnnotations } from './annotation.js';
import { findingRow, rowLines } from './findings.js';
import { jsonText } from './json.js';

/** A report for people: the problems by place, then whether gRPC accepts the file, in its own words. */
export function bootstrapText(
  { bytes, report, isOneOfSeveral }: BootstrapDocument,
  { isTerminal, paint }: Page,
): string {
  const { problems, error, as } = report;
  const subject = isOneOfSeveral ? `${visible(report.source)}: ` : '';
  const { client } = bootstrapReader(as);
  const rows = problems.map((problem) => ({
    ...findingRow(problem),
    below: isTerminal ? excerptOf(bytes, problem.place) : [],
  }));
  const verdict =
    error === null
      ? [`${subject}${paint.good('accepted')}: ${client} accepts this bootstrap${count(problems)}`]
      : [
          `${subject}${paint.error('rejected')}: ${client === 'gRPC' ? 'gRPC (C-core)' : client} would report`,
          `  ${visible(error)}`,
        ];
  return `${[...rowLines(rows, paint), ...verdict].join('\n')}\n`;
}

export function bootstrapJson(document: BootstrapDocument): string {
  return jsonText(bootstrapData(document));
}

export function bootstrapData({ report: { problems, ...report } }: BootstrapDocument): unknown {
  return { schema: 'xds-inspect/bootstrap/v1', ...report, problems: problems.map(locatedView) };
}

export function bootstrapAnnotations({ report }: BootstrapDocument): string {
  return githubAnnotations(report.problems);
}

function count(problems: BootstrapReport['problems']): string {
  const parts = SEVERITIES.flatMap((severity) => {
    const n = problems.filter((p) => p.severity === severity).length;
    return n === 0 ? [] : [`${n} ${severity}${n === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
