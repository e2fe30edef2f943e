import type { LocatedFinding } from '../base/finding.js';
import { locatedView } from '../inspect/finding-view.js';
import type { FilesReport } from '../inspect/validate/files.js';
import type { ResourceFinding, ResourceReport } from '../inspect/validate/report.js';
import type { JunitSuite } from './render/junit.js';

/** The document of `validate -o json`. */
export function validateDocument({ responses, unreadable, empty }: FilesReport, as: string): object {
  return {
    schema: 'xds-inspect/validate/v1',
    as,
    responses: responses.map((response) => ({ ...response, resources: response.resources.map(resourceDocument) })),
    unreadable: unreadable.map(({ source, problems }) => ({ source, problems: problems.map(problemDocument) })),
    empty,
  };
}

/** Codes without a list of their own. */
const LISTED: ReadonlySet<string> = new Set(['XI102', 'XI103', 'XI105', 'XI106']);

function resourceDocument({ name, verdict, place, findings, references }: ResourceReport): object {
  return {
    name,
    verdict,
    path: place.path,
    problems: findings.filter(({ code }) => code === 'XI100').map(problemDocument),
    ignored: findings.flatMap((finding) => {
      if (finding.code !== 'XI101') return [];
      const { path, line, column } = finding.place;
      return [{ kind: finding.kind, path, reason: finding.message, line, column }];
    }),
    findings: findings.filter(({ code }) => LISTED.has(code)).map(locatedView),
    references,
    notes: findings.flatMap((finding) => {
      if (finding.code !== 'XI104') return [];
      const { text: message, ...note } = finding.note;
      return [{ ...note, message, line: finding.place.line, column: finding.place.column }];
    }),
    line: place.line,
    column: place.column,
  };
}

export function problemDocument({ place: { path, line, column }, message }: LocatedFinding): object {
  return { path, message, line, column };
}

/** One suite per file, and one case per resource. */
export function validateSuites({ responses, unreadable, empty }: FilesReport): JunitSuite[] {
  const suites = new Map<string, JunitSuite>();
  const add = (source: string, name: string, findings: readonly LocatedFinding[]): void => {
    const suite = suites.get(source) ?? { name: source, cases: [] };
    suites.set(source, suite);
    const texts = (isFailure: boolean): string[] =>
      findings.filter(({ severity }) => (severity === 'error') === isFailure).map(lineOf);
    suite.cases.push({ name, failures: texts(true), remarks: texts(false) });
  };
  for (const { source, problems } of unreadable) add(source, 'readable', problems);
  for (const source of empty) add(source, 'readable', []);
  for (const { source, type, resources } of responses)
    for (const { name, findings } of resources) add(source, `${type} ${name}`, findings);
  return [...suites.values()];
}

function lineOf({ code, place: { path, line, column }, message }: LocatedFinding | ResourceFinding): string {
  const what = code === 'XI101' ? `ignored: ${message}` : message;
  return `${line}:${column} ${path === '' ? what : `${path}: ${what}`}`;
}
