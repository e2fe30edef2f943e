import { isAtLeast, type LocatedFinding, type Severity } from '../../base/finding.js';
import { formatPath } from '../../base/problem.js';
import { unlessSuppressed } from '../../findings/suppress.js';
import type { ResourceContext } from '../../resources/context.js';
import { readResourceFile } from '../../resources/files/resource-file.js';
import { type ResourceFinding, type ResourceReport, type ResponseReport, reportOn } from './report.js';

/** The result of `validate`: responses of the readable resources, and problems of the others. */
export interface FilesReport {
  responses: ResponseReport[];
  unreadable: UnreadableFile[];
  /** Readable files without resources. */
  empty: string[];
}

/** A file that cannot be read, or contains resources that cannot be read. */
interface UnreadableFile {
  source: string;
  problems: LocatedFinding[];
}

/** Validates a file. Its extension determines whether it is binary. */
export function validateFile(source: string, bytes: Uint8Array, context: ResourceContext): FilesReport {
  const content = readResourceFile(source, bytes);
  const responses = reportOn(source, content, context);
  if (content.problems.length === 0)
    return { responses, unreadable: [], empty: responses.length === 0 ? [source] : [] };
  const problems = content.problems.map(({ path, message, line, column }) =>
    unreadable({ source, path: formatPath(path), line, column }, message),
  );
  return { responses, unreadable: [{ source, problems }], empty: [] };
}

/** Reports a file that cannot be read, or a folder without resource files. */
export function unreadableFile(source: string, message: string): FilesReport {
  const problems = [unreadable({ source, path: '', line: 1, column: 1 }, message)];
  return { responses: [], unreadable: [{ source, problems }], empty: [] };
}

function unreadable(place: LocatedFinding['place'], message: string): LocatedFinding {
  return { code: 'unreadable', severity: 'error', place, message, advice: '' };
}

/** Merges the reports on several files. */
export function joinReports(reports: readonly FilesReport[]): FilesReport {
  return {
    responses: reports.flatMap(({ responses }) => responses),
    unreadable: reports.flatMap((report) => report.unreadable),
    empty: reports.flatMap(({ empty }) => empty),
  };
}

/** Removes suppressed findings. XI104 suppresses all notes; the code of a note suppresses only that note. */
export function suppressIn({ responses, ...rest }: FilesReport, codes: ReadonlySet<string>): FilesReport {
  const isKept = unlessSuppressed(codes);
  const isShown = (finding: ResourceFinding): boolean =>
    isKept(finding) && (finding.code !== 'XI104' || isKept(finding.note));
  const resourcesOf = ({ resources }: ResponseReport): ResourceReport[] =>
    resources.map((resource) => ({ ...resource, findings: resource.findings.filter(isShown) }));
  return { ...rest, responses: responses.map((one) => ({ ...one, resources: resourcesOf(one) })) };
}

/** All findings of a report; those of unreadable files come first. */
export function findingsOf({ responses, unreadable: files }: FilesReport): LocatedFinding[] {
  return [
    ...files.flatMap(({ problems }) => problems),
    ...responses.flatMap(({ resources }) => resources.flatMap(({ findings }) => findings)),
  ];
}

/** Unreadable files take precedence over findings. A NACK is a finding at every threshold. */
export function outcomeOf(report: FilesReport, threshold: Severity): 'success' | 'findings' | 'unreadable' {
  if (report.unreadable.length > 0) return 'unreadable';
  const isNacked = report.responses.some(({ verdict }) => verdict === 'NACK');
  return isNacked || findingsOf(report).some(isAtLeast(threshold)) ? 'findings' : 'success';
}
