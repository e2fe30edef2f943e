import { type FilesReport, findingsOf } from '../../inspect/validate/files.js';
import type { ResourceReport, ResponseReport } from '../../inspect/validate/report.js';
import type { ValidateDocument } from '../documents.js';
import type { Page } from '../formats.js';
import { validateDocument, validateSuites } from '../validate.js';
import { visible, visibleName } from '../visible-text.js';
import { githubAnnotations } from './annotation.js';
import { type FindingRow, findingRow, rowLines } from './findings.js';
import { jsonText } from './json.js';
import { junit } from './junit.js';
import type { Paint } from './paint.js';

/** The maximum number of findings per code; the rest is counted. */
const MOST = 20;

/** The problems by place, the NACKs that C-core would send, and a summary. */
export function validateText({ report }: ValidateDocument, { paint }: Page): string {
  const { responses, unreadable } = report;
  const rows = [
    ...unreadable.flatMap(({ problems }) => limited(problems.map((problem) => findingRow(problem)))),
    ...responses.flatMap(responseRows),
  ];
  const nacks = responses.flatMap(({ source, type, nack }) =>
    nack === null
      ? []
      : [`${paint.error('NACK')} ${visible(`${source} (${type})`)}: gRPC (C-core) would send`, `  ${visible(nack)}`],
  );
  return [...rowLines(rows, paint), ...nacks, summary(report, paint), ''].join('\n');
}

export function validateJson({ report, as }: ValidateDocument): string {
  return jsonText(validateDocument(report, as));
}

export function validateJunit({ report }: ValidateDocument): string {
  return junit(validateSuites(report));
}

export function validateAnnotations({ report }: ValidateDocument): string {
  return githubAnnotations(findingsOf(report));
}

function responseRows(response: ResponseReport): FindingRow[] {
  const rows: FindingRow[] = [];
  if (response.verdict === 'IGNORED') {
    const text = visible(
      `gRPC does not know the type ${response.type || '""'}: it neither ACKs nor NACKs the response`,
    );
    rows.push({ place: visible(response.source), level: 'note', word: 'ignored', text });
  }
  rows.push(...response.resources.flatMap((resource) => resourceRows(response, resource)));
  const { omitted, source } = response;
  if (omitted === undefined) return rows;
  const text = `${omitted.accepted + omitted.rejected + omitted.ignored} more resources of a few bytes each are not listed`;
  return [...rows, { place: visible(source), level: 'note', word: 'omitted', text }];
}

function resourceRows({ type }: ResponseReport, { name, findings }: ResourceReport): FindingRow[] {
  const about = `${type} ${name === '' ? '(no name)' : visibleName(name)}`;
  const codes = new Set(findings.map(({ code }) => code));
  return [...codes].flatMap((code) =>
    limited(findings.filter((finding) => finding.code === code).map((finding) => findingRow(finding, about))),
  );
}

function limited(rows: FindingRow[]): FindingRow[] {
  const [first] = rows;
  if (first === undefined || rows.length <= MOST) return rows;
  return [...rows.slice(0, MOST), { ...first, place: '', text: `… and ${rows.length - MOST} more` }];
}

function summary({ responses, unreadable, empty }: FilesReport, paint: Paint): string {
  const files = new Set([...[...responses, ...unreadable].map(({ source }) => source), ...empty]).size;
  const resources = responses.flatMap((response) => response.resources);
  const count = (wanted: ResourceReport['verdict']): number =>
    resources.filter(({ verdict }) => verdict === wanted).length +
    responses.reduce((sum, response) => sum + (response.omitted?.[wanted] ?? 0), 0);
  const [rejected, accepted, ignored] = [count('rejected'), count('accepted'), count('ignored')];
  const partly = resources.filter(
    ({ verdict, findings }) => verdict === 'accepted' && findings.some(({ code }) => code === 'XI101'),
  ).length;
  const counts = [
    ...(rejected > 0 ? [paint.error(`${rejected} NACK`)] : []),
    ...(accepted > 0 ? [`${paint.good(`${accepted} ACK`)}${partly > 0 ? ` (${partly} with ignored parts)` : ''}`] : []),
    ...(ignored > 0 ? [`${ignored} ignored`] : []),
    ...(unreadable.length > 0 ? [paint.error(`${plural(unreadable.length, 'file')} unreadable`)] : []),
  ];
  return `${plural(files, 'file')}, ${plural(rejected + accepted + ignored, 'resource')}: ${counts.join(', ') || 'nothing to validate'}`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
