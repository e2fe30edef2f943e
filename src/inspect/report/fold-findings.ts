import type { FindingView } from '../finding-view.js';
import type { Cause, CauseCode } from '../verdict/verdict.js';

/** Findings that repeat a cause, if they are about the same server and, if they name resources, the same resource. */
const REPEATED: Partial<Record<CauseCode, ReadonlySet<string>>> = {
  rejected: new Set(['XI201', 'XI202', 'XI204', 'XI210']),
  silent: new Set(['XI201', 'XI202']),
  'not-in-response': new Set(['XI201', 'XI202', 'XI204']),
  'no-listener': new Set(['XI201', 'XI202', 'XI204']),
  deleted: new Set(['XI204']),
  'kept-old-version': new Set(['XI204']),
  unreachable: new Set(['XI221']),
  'node-refused': new Set(['XI221', 'XI225']),
  'unsupported-protocol': new Set(['XI216', 'XI217', 'XI220', 'XI221']),
};

/** Whether a finding only repeats the cause of a verdict, so that a text report omits it. */
export function repeats(
  { code, server, type, names }: Pick<FindingView, 'code' | 'server' | 'type' | 'names'>,
  cause: Cause,
): boolean {
  if (REPEATED[cause.code]?.has(code) !== true || (cause.server !== null && cause.server !== server)) return false;
  const { resource } = cause;
  if (resource === null || names.length === 0) return true;
  return type === resource.type && names.length === 1 && names[0] === resource.name;
}
