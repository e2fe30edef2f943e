import type { LocatedProblem } from '../../base/document.js';
import { formatPath } from '../../base/problem.js';
import { actualText, type CheckReport, type EvaluatedExpectation, isFailed } from '../../inspect/expect/report.js';
import type { Analysis, AnalysisResult, AnalysisRule } from './analysis.js';

const COMMAND = 'check';

const FAILED: AnalysisRule = {
  id: 'failed-expectation',
  severity: 'error',
  title: 'An expectation is not met',
  what: 'The control plane does not serve what the expectations file requires.',
  advice: 'Correct the configuration of the control plane, or the expectation if it is outdated.',
};

/** The annotations of an invalid file have the same name. */
const INVALID: AnalysisRule = {
  id: 'expectations',
  severity: 'error',
  title: 'The expectations file is invalid',
  what: 'The file contains something that check cannot read, so no expectation was evaluated.',
  advice: 'Correct the file at the marked position.',
};

export function checkAnalysis(report: CheckReport): Analysis {
  const { file, targets, remark } = report;
  const place = { source: file, path: '', line: 1, column: 1 };
  return {
    command: COMMAND,
    results: targets.flatMap(({ target, evaluated }) =>
      evaluated.filter(isFailed).map((one) => failedResult(one, target, file)),
    ),
    notifications: remark === '' ? [] : [{ id: 'incomplete', severity: 'warning', message: remark, place }],
  };
}

function failedResult(one: EvaluatedExpectation, target: string, source: string): AnalysisResult {
  const { name, expected, hint, at } = one;
  const failure = `${target}: ${name}: expected ${expected}, but: ${actualText(one)}`;
  return {
    rule: FAILED,
    severity: 'error',
    message: hint === undefined ? failure : `${failure}. ${hint}`,
    place: { source, path: '', line: at.line, column: at.column },
    logical: [
      { name: target, kind: 'target' },
      { name, kind: 'expectation' },
    ],
    identity: [FAILED.id, target, name],
    related: [],
  };
}

/** An expectations file that cannot be used. */
export function problemsAnalysis(source: string, problems: readonly LocatedProblem[]): Analysis {
  const results = problems.map(({ path, message, line, column }): AnalysisResult => {
    const field = formatPath(path);
    return {
      rule: INVALID,
      severity: 'error',
      message: field === '' ? message : `${field}: ${message}`,
      place: { source, path: field, line, column },
      logical: field === '' ? [] : [{ name: field, kind: 'member' }],
      identity: [INVALID.id, field],
      related: [],
    };
  });
  const notifications = results.map(({ message, place }) => ({
    id: INVALID.id,
    severity: 'error' as const,
    message,
    place,
  }));
  return { command: COMMAND, results, notifications };
}
