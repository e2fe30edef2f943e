import { isAtLeast, type Severity } from '../../base/finding.js';
import type { Arguments } from '../command.js';

/** Which findings make the exit code 79. */
export function readThreshold({ failureThreshold, failOn }: Arguments): (finding: { severity: Severity }) => boolean {
  if (failureThreshold === undefined && failOn === 'none') return () => false;
  return isAtLeast((failureThreshold as Severity | undefined) ?? 'error');
}
