import { UsageError } from '../../base/failure.js';
import type { InspectionResult } from '../../inspect/inspection-result.js';
import { ResourceFilter } from '../../inspect/resource-filter.js';
import { exitReason, type FailRules, statusOutcome } from '../../view/exit-reason.js';
import { isForPeople } from '../../view/formats.js';
import type { ScopeStatus } from '../../view/status.js';
import { unreachableSentences } from '../../view/unreachable.js';
import type { Conclusion } from './show.js';

/** Flags that choose among resources, as the commands that list them declare them. */
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

/** People read the verdict on stdout also where nothing was received; a list of names is empty then. */
export function shownTo({ now, hasData }: InspectionResult, format: string): { now: number; hasData: boolean } {
  return { now, hasData: hasData || isForPeople(format) };
}

/** Why the exit code is not 0; and which servers cannot be used, unless line 1 says so. */
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
