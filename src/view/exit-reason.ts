import { countText, thousands } from '../base/count-text.js';
import { EXIT, type ExitCode } from '../base/exit-codes.js';
import { isAtLeast, type Severity } from '../base/finding.js';
import type { Outcome } from '../inspect/outcome.js';
import { listedNames } from './progress-text.js';
import { isServerLost, type ScopeStatus, stateOf } from './status.js';
import { visible, visibleName } from './visible-text.js';
import { countStates, worstStatesFirst } from './worst-first.js';

/** The conditions for exit code 79. */
export interface FailRules {
  /** Cache statuses named by `--fail-on`. */
  statuses: ReadonlySet<string>;
  /** False with `--fail-on none`: then verdicts do not count, either. */
  countsVerdicts: boolean;
  isFailing(finding: { severity: string }): boolean;
}

/** The rules that `--fail-on` and `--failure-threshold` set. */
export function failRules({
  failOn,
  failureThreshold,
}: {
  failOn: readonly string[];
  failureThreshold?: Severity | undefined;
}): FailRules {
  const isNone = failOn.length === 1 && failOn[0] === 'none';
  const isFailing = isNone && failureThreshold === undefined ? () => false : isAtLeast(failureThreshold ?? 'error');
  return { statuses: new Set(isNone ? [] : failOn), countsVerdicts: !isNone, isFailing };
}

/** The outcome of the shown scopes: the verdicts first, then the states and findings that count as failures. */
export function statusOutcome(scopes: readonly ScopeStatus[], rules: FailRules): Outcome {
  const { statuses, countsVerdicts, isFailing } = rules;
  const all = scopes.flatMap(({ channels }) => channels.map(({ verdict }) => verdict));
  return {
    isLost: scopes.some(isServerLost),
    verdicts: all.filter((verdict) => countsVerdicts || verdict === 'waiting'),
    hasFindings:
      scopes.some(({ findings }) => findings.some(isFailing)) ||
      scopes.some(({ resources }) => resources.some((one) => statuses.has(stateOf(one)))),
  };
}

/** The reason of an exit code in one line; undefined for codes that need no reason. */
export function exitReason(code: ExitCode, scopes: readonly ScopeStatus[], rules: FailRules): string | undefined {
  switch (code) {
    case EXIT.interrupted:
      return 'interrupted';
    case EXIT.unavailable:
      return `no usable xDS server for ${listedNames(scopes.filter(isServerLost), ({ scope }) => visible(scope))}`;
    case EXIT.timedOut:
      return `timed out ${timeoutText(scopes)}`;
    case EXIT.findings:
      return findingsText(scopes, rules);
    default:
      return undefined;
  }
}

/** `xds:///billing fails; 1 NACKED, 1 RECEIVED_ERROR; 1 finding (XI203)` */
function findingsText(scopes: readonly ScopeStatus[], { statuses, countsVerdicts, isFailing }: FailRules): string {
  const channels = countsVerdicts ? scopes.flatMap((scope) => scope.channels) : [];
  const texts = (['fails', 'partly'] as const).flatMap((word) => {
    const matching = channels.filter(({ verdict }) => verdict === word);
    const names = listedNames(matching, ({ target }) => visible(target));
    return matching.length === 0 ? [] : [`${names} ${VERB[word][matching.length === 1 ? 0 : 1]}`];
  });
  const states = scopes.flatMap(({ resources }) => resources.map(stateOf)).filter((state) => statuses.has(state));
  const counted = worstStatesFirst(countStates(states.map((status) => ({ status }))));
  if (counted.length > 0) texts.push(counted.map(([state, count]) => `${thousands(count)} ${state}`).join(', '));
  const codes = scopes.flatMap(({ findings }) => findings.filter(isFailing).map(({ code }) => code)).sort();
  if (codes.length > 0) texts.push(`${countText(codes.length, 'finding')} (${[...new Set(codes)].join(', ')})`);
  return texts.join('; ');
}

const VERB = { fails: ['fails', 'fail'], partly: ['fails in part', 'fail in part'] } as const;

function timeoutText(scopes: readonly ScopeStatus[]): string {
  const open = scopes.flatMap(({ resources }) => resources).filter(({ status }) => status === 'REQUESTED');
  if (open.length === 0) return 'while the configuration was incomplete';
  return `waiting for ${listedNames(open, ({ type, name }) => `${type} ${visibleName(name)}`)}`;
}
