import type { ResourceReport, ResponseReport } from '../../resources/files/report.js';
import { visible } from '../visible-text.js';
import type { Paint } from './bootstrap.js';

/** A file that holds nothing to judge. */
export interface UnreadableFile {
  source: string;
  problems: { path: string; message: string; line: number; column: number }[];
}

/** One line of the report: where, how bad, what. */
interface Row {
  place: string;
  level: keyof Paint;
  word: string;
  text: string;
}

/** A person reads so many of a kind; the rest is counted. */
const MOST = 20;

/** What a person reads: problems by place, what C-core would answer, and a summary. */
export function validateText(
  responses: readonly ResponseReport[],
  unreadable: readonly UnreadableFile[],
  paint: Paint,
): string {
  const rows = [...unreadable.flatMap(unreadableRows), ...responses.flatMap(responseRows)];
  const width = Math.max(0, ...rows.map(({ place }) => place.length));
  const lines = rows.map(
    ({ place, level, word, text }) => `${place.padEnd(width)}  ${paint[level](word.padEnd(7))}  ${text}`,
  );
  const answers = responses.flatMap(({ source, type, nack }) =>
    nack === null
      ? []
      : [`${paint.error('NACK')} ${visible(`${source} (${type})`)}: gRPC (C-core) would answer`, `  ${visible(nack)}`],
  );
  return [...lines, ...answers, summary(responses, unreadable, paint), ''].join('\n');
}

function unreadableRows({ source, problems }: UnreadableFile): Row[] {
  return limited(
    problems.map(({ path, message, line, column }) => ({
      place: visible(`${source}:${line}:${column}`),
      level: 'error',
      word: 'error',
      text: visible(path === '' ? message : `${path}: ${message}`),
    })),
  );
}

function responseRows(response: ResponseReport): Row[] {
  if (response.verdict === 'IGNORED') {
    const text = visible(
      `gRPC does not know the type ${response.type || '""'}: it neither ACKs nor NACKs the response`,
    );
    return [{ place: visible(response.source), level: 'note', word: 'ignored', text }];
  }
  return response.resources.flatMap((resource) => resourceRows(response, resource));
}

function resourceRows({ source, type }: ResponseReport, resource: ResourceReport): Row[] {
  const subject = `[${type} ${resource.name === '' ? '(no name)' : resource.name}]`;
  const row = (
    at: { line: number; column: number; path: string },
    level: keyof Paint,
    word: string,
    message: string,
  ): Row => ({
    place: visible(`${source}:${at.line}:${at.column}`),
    level,
    word,
    text: visible(`${at.path === '' ? message : `${at.path}: ${message}`}  ${subject}`),
  });
  return [
    ...limited(resource.problems.map((problem) => row(problem, 'error', 'NACK', problem.message))),
    ...limited(resource.ignored.map((part) => row(part, 'warning', 'ignored', part.reason))),
    ...limited(resource.findings.map((f) => row(f, f.severity, f.severity, `${f.code} ${f.message}`))),
    ...limited(resource.notes.map((note) => row(note, 'note', 'note', `${note.code} ${note.message}`))),
  ];
}

function limited(rows: Row[]): Row[] {
  const [first] = rows;
  if (first === undefined || rows.length <= MOST) return rows;
  return [...rows.slice(0, MOST), { ...first, place: '', text: `… and ${rows.length - MOST} more` }];
}

function summary(responses: readonly ResponseReport[], unreadable: readonly UnreadableFile[], paint: Paint): string {
  const files = new Set([...responses, ...unreadable].map(({ source }) => source)).size;
  const resources = responses.flatMap((response) => response.resources);
  const rejected = resources.filter(({ verdict }) => verdict === 'rejected').length;
  const accepted = resources.length - rejected;
  const partly = resources.filter(({ verdict, ignored }) => verdict === 'accepted' && ignored.length > 0).length;
  const counts = [
    ...(rejected > 0 ? [paint.error(`${rejected} NACK`)] : []),
    ...(accepted > 0 ? [`${paint.good(`${accepted} ACK`)}${partly > 0 ? ` (${partly} with ignored parts)` : ''}`] : []),
    ...(unreadable.length > 0 ? [paint.error(`${plural(unreadable.length, 'file')} unreadable`)] : []),
  ];
  return `${plural(files, 'file')}, ${plural(resources.length, 'resource')}: ${counts.join(', ') || 'nothing to judge'}`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
