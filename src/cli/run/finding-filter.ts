import { didYouMean } from '../../base/nearest.js';
import { PROTOCOL_FINDINGS } from '../../findings/catalogue.js';
import type { Arguments } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

/** Families that other commands report; one list of codes may serve all commands. */
const OTHER_FAMILIES = /^XI[0134]\d\d$/;

/** The codes that `--suppress` names. */
export function readSuppressed({ suppress }: Arguments): ReadonlySet<string> {
  const words = String(suppress ?? '')
    .split(',')
    .map((word) => word.trim().toUpperCase())
    .filter((word) => word !== '');
  const known = Object.keys(PROTOCOL_FINDINGS);
  const unknown = words.filter((word) => !known.includes(word) && !OTHER_FAMILIES.test(word));
  if (unknown.length > 0) {
    const hints = unknown.map((word) => `"${word}"${didYouMean(word, known)}`).join(', ');
    throw new Failure(EXIT.usage, `--suppress: there is no finding ${hints}`);
  }
  return new Set(words);
}

const SEVERITIES: readonly string[] = ['error', 'warning', 'note'];

/** Which findings make the exit code 79. */
export function readThreshold({ failureThreshold, failOn }: Arguments): (finding: { severity: string }) => boolean {
  if (failureThreshold === undefined && failOn === 'none') return () => false;
  const threshold = SEVERITIES.indexOf((failureThreshold as string | undefined) ?? 'error');
  return ({ severity }) => SEVERITIES.indexOf(severity) <= threshold;
}
