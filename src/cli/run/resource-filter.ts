import { UsageError } from '../../base/failure.js';
import type { InspectionResult } from '../../inspect/inspection-result.js';
import { ResourceFilter } from '../../inspect/resource-filter.js';
import { exitReason, type FailRules, statusOutcome } from '../../view/exit-reason.js';
import { isForPeople } from '../../view/formats.js';
import type { ScopeStatus } from '../../view/status.js';
import { unreachableSentences } from '../../view/unreachable.js';
import type { Conclusion } from './show.js';

/** The flags that filter resources. */
export interface ResourceFilterInput {
  type: readonly string[] | undefined;
  name: string | undefined;
  status: readonly string[] | undefined;
  failOn: readonly string[];
}

export function filterFor({ type, name, status }: Omit<ResourceFilterInput, 'failOn'>): ResourceFilter {
  const problem = ResourceFilter.problemWith(name);
  if (problem !== undefined) throw new UsageError(`--name: ${problem}`);
  return new ResourceFilter({ type, name, status });
}

/** Text formats print the verdict on stdout even if no data was received. Lists of names stay empty. */
export function shownTo({ now, hasData }: InspectionResult, format: string): { now: number; hasData: boolean } {
  return { now, hasData: hasData || isForPeople(format) };
}

/** The exit code with its reason, and messages about unreachable servers that line 1 does not contain. */
export function conclusionOf(
  scopes: readonly ScopeStatus[],
  result: InspectionResult,
  rules: FailRules,
  format: string,
): Conclusion {
  return {
    ...statusOutcome(scopes, rules),
    sentences: result.ending === 'interrupted' ? [] : unreachableSentences(result, format),
    reason: (code) => exitReason(code, scopes, rules),
  };
}
