import type { Arguments } from '../command.js';

const SEVERITIES: readonly string[] = ['error', 'warning', 'note'];

/** Which findings make the exit code 79. */
export function readThreshold({ failureThreshold, failOn }: Arguments): (finding: { severity: string }) => boolean {
  if (failureThreshold === undefined && failOn === 'none') return () => false;
  const threshold = SEVERITIES.indexOf((failureThreshold as string | undefined) ?? 'error');
  return ({ severity }) => SEVERITIES.indexOf(severity) <= threshold;
}
