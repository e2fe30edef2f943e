import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ClientInspection } from '../inspection.js';
import { type InspectionResult, inspectionResult } from '../inspection-result.js';
import type { WaitEnding } from '../until.js';

/** What one implementation does with the control plane, at the end of the session. */
export type ImplementationRun = UnstartedRun | ObservedRun;

/** The implementation rejects the bootstrap, so that none of its RPCs work. */
interface UnstartedRun {
  preset: Preset;
  failure: string;
}

export interface ObservedRun {
  preset: Preset;
  result: InspectionResult;
  bootstrap: Bootstrap;
  /** The targets that the implementation cannot use, with the reason. */
  unusable: ReadonlyMap<string, string>;
  /** The name of a target in the comparison, if this implementation spells it differently. */
  nameOf(target: string): string;
  evidence: Evidence;
}

/** What a session tells about an implementation. A live client has all evidence; a recording may lack some. */
export interface Evidence {
  /** Why the session does not show what the implementation gets for a resource; undefined if it does. */
  missingFor(scope: string, entry: CacheEntry): string | undefined;
  /** Why a target that waits at the end of the session may not wait in reality. */
  waitIsUnknown(target: string): string | undefined;
}

export const ALL_EVIDENCE: Evidence = { missingFor: () => undefined, waitIsUnknown: () => undefined };

/** The result of a client that behaves like an implementation. */
export function observedRun(
  inspection: ClientInspection,
  ending: WaitEnding,
  {
    unusable = new Map(),
    nameOf = (target) => target,
    evidence = ALL_EVIDENCE,
  }: Partial<Pick<ObservedRun, 'unusable' | 'nameOf' | 'evidence'>> = {},
): ObservedRun {
  const { as: preset, bootstrap } = inspection;
  return { preset, result: inspectionResult(inspection, ending), bootstrap, unusable, nameOf, evidence };
}
