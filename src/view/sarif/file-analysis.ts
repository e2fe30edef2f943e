import type { LocatedFinding } from '../../base/finding.js';
import type { BootstrapReport } from '../../bootstrap/report.js';
import { catalogue } from '../../findings/catalogue.js';
import type { FilesReport } from '../../inspect/validate/files.js';
import type { ResourceFinding, ResourceReport } from '../../inspect/validate/report.js';
import type { Analysis, AnalysisResult, AnalysisRule } from './analysis.js';

/** A file that cannot be read has no finding code. */
const UNREADABLE: AnalysisRule = {
  id: 'unreadable',
  severity: 'error',
  title: 'The file cannot be read',
  what: 'The file does not exist, is not YAML, JSON or a DiscoveryResponse, or contains something that is not a resource.',
  advice: 'Correct the file at the marked position.',
};

export function validateAnalysis({ responses, unreadable }: FilesReport, as: string): Analysis {
  const rules = new Rules();
  const problems = unreadable.flatMap((file) => file.problems);
  return {
    command: commandFor('validate', as),
    results: [
      ...problems.map((problem) => resultOf(problem, UNREADABLE)),
      ...responses.flatMap(({ type, resources }) =>
        resources.flatMap((resource) => resource.findings.map((one) => resourceResult(one, type, resource, rules))),
      ),
    ],
    notifications: problems.map(notification),
  };
}

/** `isRead`: whether there is a bootstrap at all. */
export function bootstrapAnalysis({ as, problems }: BootstrapReport, isRead: boolean): Analysis {
  const rules = new Rules();
  return {
    command: commandFor('bootstrap-validate', as),
    results: problems.map((problem) => resultOf(problem, rules.named(problem.code))),
    notifications: isRead ? [] : problems.filter(({ code }) => code === 'XI001').map(notification),
  };
}

/** Results for different clients exist side by side. */
function commandFor(name: string, as: string): string {
  return as === 'spec' ? name : `${name}/${as}`;
}

function notification({ message, place }: LocatedFinding): Analysis['notifications'][number] {
  return { id: UNREADABLE.id, severity: 'error', message, place };
}

function resultOf({ code, severity, place, message }: LocatedFinding, rule: AnalysisRule): AnalysisResult {
  const { path } = place;
  return {
    rule,
    severity,
    message: path === '' ? message : `${path}: ${message}`,
    place,
    logical: path === '' ? [] : [{ name: path, kind: 'member' }],
    identity: [code, path],
    related: [],
  };
}

function resourceResult(
  finding: ResourceFinding,
  type: string,
  { name, place }: ResourceReport,
  rules: Rules,
): AnalysisResult {
  // A note on another implementation has its own code, and is about one implementation.
  const [code, about] =
    finding.code === 'XI104' ? [finding.note.code, finding.note.implementation] : [finding.code, ''];
  const result = resultOf(finding, rules.named(code));
  const isAtResource = place.line === finding.place.line && place.column === finding.place.column;
  return {
    ...result,
    logical: [{ name: `${type}/${name}`, kind: 'resource' }, ...result.logical],
    identity: [code, about, type, name, finding.place.path],
    related: isAtResource ? [] : [{ message: `${type} ${name}`, place }],
  };
}

class Rules {
  readonly #byCode = new Map(catalogue().map(({ code, ...kind }) => [code, { id: code, ...kind }]));

  named(code: string): AnalysisRule {
    return this.#byCode.get(code) ?? { ...UNREADABLE, id: code };
  }
}
