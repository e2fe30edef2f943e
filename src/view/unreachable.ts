import { hasNoResponse, type InspectionResult } from '../inspect/inspection-result.js';
import { lostCause } from '../inspect/verdict/server-cause.js';
import type { CauseCode } from '../inspect/verdict/verdict.js';
import { isForPeople } from './formats.js';

/** Causes that are about a control plane, whatever it was asked for. */
const SERVER_CAUSES: ReadonlySet<CauseCode> = new Set([
  'unreachable',
  'tls',
  'node-refused',
  'silent',
  'unsupported-protocol',
]);

/** Why nothing was received, or which control planes cannot be used, each once and in the words of line 1; people read that line. */
export function unreachableSentences(
  { snapshot, verdicts, node }: Pick<InspectionResult, 'snapshot' | 'verdicts' | 'node'>,
  format: string,
): string[] {
  if (isForPeople(format)) return [];
  const isAnyCause = hasNoResponse(snapshot);
  const causes = verdicts
    .flatMap(({ cause }) => cause ?? [])
    .filter(({ code }) => isAnyCause || SERVER_CAUSES.has(code));
  const sentences = new Set(causes.map(({ message }) => message));
  for (const authority of snapshot.flatMap(({ authorities }) => authorities)) {
    // Where the configuration is cached, the verdict may have another cause.
    const lost = lostCause(authority, node.id)?.message;
    if (lost !== undefined && ![...sentences].some((told) => told.includes(lost))) sentences.add(lost);
  }
  return [...sentences];
}
