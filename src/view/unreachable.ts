import { hasNoResponse, type InspectionResult } from '../inspect/inspection-result.js';
import { lostCause } from '../inspect/verdict/server-cause.js';
import type { CauseCode } from '../inspect/verdict/verdict.js';
import { isForPeople } from './formats.js';

/** Causes that are about a control plane, not about a resource. */
const SERVER_CAUSES: ReadonlySet<CauseCode> = new Set([
  'unreachable',
  'tls',
  'node-refused',
  'silent',
  'unsupported-protocol',
]);

/**
 * The reason why nothing was received, or the unusable control planes. Each is printed once, in the words of line 1. Text
 * formats have that line, so this is for data formats only.
 */
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
    // If the configuration is cached, the verdict may have another cause.
    const lost = lostCause(authority, node.id)?.message;
    if (lost !== undefined && ![...sentences].some((sentence) => sentence.includes(lost))) sentences.add(lost);
  }
  return [...sentences];
}
