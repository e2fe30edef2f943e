import { type Finding, isAtLeast, SEVERITIES } from '../../base/finding.js';
import { timesText } from '../../base/times-text.js';
import { findingViews } from '../finding-view.js';
import { listText } from './evaluation-texts.js';
import type { ExpectedFact, FindingRule } from './expectations.js';
import type { Evaluation, Observation } from './observation.js';

/** The default: findings that break real clients fail a check. */
export const FORBIDDEN: readonly string[] = ['error'];

/** Holds if the control plane has no finding that is forbidden and not allowed. */
export function evaluateFindings(
  wanted: Extract<ExpectedFact, { kind: 'findings' }>,
  { findings }: Observation,
): Evaluation {
  const forbidden = findingViews(findings.filter((finding) => isForbidden(finding, wanted)));
  const expected = `no finding of ${wanted.forbid.join(', ') || 'none'}${
    wanted.allow.length === 0 ? '' : ` except ${wanted.allow.join(', ')}`
  }`;
  const [first] = forbidden;
  if (first === undefined) return { ok: true, expected, actual: 'none' };
  const actual = listText(forbidden, ({ code, message, count, durationMs, rate }) => {
    const times = timesText(count, durationMs, rate ?? undefined);
    return `${code} ${message}${times === '' ? '' : ` · ${times}`}`;
  });
  return { ok: false, expected, actual, hint: first.advice, findings: forbidden };
}

/** A severity includes all higher severities. */
export function isForbidden(finding: Pick<Finding, 'code' | 'severity'>, rule: FindingRule): boolean {
  if (rule.allow.includes(finding.code)) return false;
  const threshold = SEVERITIES.findLast((severity) => rule.forbid.includes(severity));
  return rule.forbid.includes(finding.code) || (threshold !== undefined && isAtLeast(threshold)(finding));
}
