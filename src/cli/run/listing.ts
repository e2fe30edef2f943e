import { Misuse } from '../../base/failure.js';
import { isAtLeast, type Severity } from '../../base/finding.js';
import { ResourceFilter } from '../../inspect/resource-filter.js';
import type { FailRules } from '../../view/exit-reason.js';

/** Flags that choose among resources, as the commands that list them declare them. */
export interface ListingInput {
  type: readonly string[] | undefined;
  name: string | undefined;
  status: readonly string[] | undefined;
  failOn: readonly string[];
}

export function filterFor({ type, name, status }: ListingInput): ResourceFilter {
  const problem = ResourceFilter.problemWith(name);
  if (problem !== undefined) throw new Misuse(`--name: ${problem}`);
  return new ResourceFilter({ type, name, status });
}

/** What makes the exit code 79. */
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
