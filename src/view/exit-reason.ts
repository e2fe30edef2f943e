import { countText, thousands } from '../base/count-text.js';
import { EXIT, type ExitCode } from '../base/exit-codes.js';
import { isAtLeast, type Severity } from '../base/finding.js';
import type { Outcome } from '../inspect/outcome.js';
import type { Ending } from '../inspect/until.js';
import { listedNames } from './progress-text.js';
import { failsByItself, isServerLost, type ScopeStatus } from './status.js';
import { visible, visibleName } from './visible-text.js';
import { badness } from './worst-first.js';

/** What counts as a finding. */
export interface FailRules {
  /** Cache statuses named by `--fail-on`. */
  statuses: ReadonlySet<string>;
  isFailing(finding: { severity: string }): boolean;
}

/** The rules that `--fail-on` and `--failure-threshold` make. */
export function failRules({
  failOn,
  failureThreshold,
}: {
  failOn: readonly string[];
  failureThreshold?: Severity | undefined;
}): FailRules {
  const isNone = failOn.length === 1 && failOn[0] === 'none';
  const isFailing = isNone && failureThreshold === undefined ? () => false : isAtLeast(failureThreshold ?? 'error');
  return { statuses: new Set(isNone ? [] : failOn), isFailing };
}

/** The outcome of what was shown. */
export function statusOutcome(
  scopes: readonly ScopeStatus[],
  ending: Ending,
  { statuses, isFailing }: FailRules,
): Outcome {
  const shown = scopes.flatMap(({ resources }) => resources.map(({ status }) => status));
  return {
    isLost: scopes.some(isServerLost) && (ending === 'met' || shown.includes('REQUESTED')),
    isTimedOut: ending === 'timed out',
    hasFindings:
      scopes.some(({ findings }) => findings.some(isFailing)) ||
      (statuses.size > 0 && scopes.some(failsByItself)) ||
      shown.some((one) => statuses.has(one)),
  };
}

/** Why the exit code is not 0, in a line; undefined for codes that explain themselves. */
export function exitReason(code: ExitCode, scopes: readonly ScopeStatus[], rules: FailRules): string | undefined {
  switch (code) {
    case EXIT.interrupted:
      return 'interrupted';
    case EXIT.unavailable:
      return `no server could be reached for ${listedNames(scopes.filter(isServerLost), ({ scope }) => visible(scope))}`;
    case EXIT.timedOut:
      return `the time was over ${openText(scopes)}`;
    case EXIT.findings:
      return findingsText(scopes, rules);
    default:
      return undefined;
  }
}

/** `3 findings (1 NACKED, 1 RECEIVED_ERROR, 1 XI203), 1 target fails` */
function findingsText(scopes: readonly ScopeStatus[], { statuses, isFailing }: FailRules): string {
  const states = scopes
    .flatMap(({ resources }) => resources.map(({ status }) => status))
    .filter((status) => statuses.has(status))
    .sort((a, b) => badness(a) - badness(b));
  const codes = scopes.flatMap(({ findings }) => findings.filter(isFailing).map(({ code }) => code)).sort();
  const found = [...states, ...codes];
  const numbers = new Map<string, number>();
  for (const one of found) numbers.set(one, (numbers.get(one) ?? 0) + 1);
  const counts = [...numbers].map(([one, count]) => `${thousands(count)} ${one}`);
  const failed = scopes.flatMap(({ channels }) => channels).filter(({ config }) => config === 'error').length;
  const targets = failed === 0 ? [] : [failed === 1 ? '1 target fails' : `${failed} targets fail`];
  const all = found.length === 0 ? [] : [`${countText(found.length, 'finding')} (${counts.join(', ')})`];
  return [...all, ...targets].join(', ');
}

function openText(scopes: readonly ScopeStatus[]): string {
  const open = scopes.flatMap(({ resources }) => resources).filter(({ status }) => status === 'REQUESTED');
  if (open.length === 0) return 'while things were still changing';
  return `while waiting for ${listedNames(open, ({ type, name }) => `${type} ${visibleName(name)}`)}`;
}
