import type { PerType } from '../inspect/get-all.js';
import { resourcesText } from '../proto/find-resource-type.js';
import type { ShortType } from '../proto/resource-types.js';
import { type GetView, joinViews } from './get.js';
import type { GetResult } from './get-report.js';

/** The result of one type. */
export interface TypeResult extends GetResult {
  view: GetView;
}

/** The results of all types as one; `problems` are names that could not be requested. */
export function joinResults(parts: PerType<TypeResult>, problems: readonly string[]): GetResult {
  const got = Object.values(parts).filter((part) => part !== undefined);
  const lines = [
    ...got.flatMap((part) => part.lines),
    ...unreferencedTypeLine('RDS', 'listener', parts.RDS, parts.LDS),
    ...unreferencedTypeLine('EDS', 'cluster', parts.EDS, parts.CDS),
  ];
  const has = (name: 'isInterrupted' | 'isLost' | 'isTimedOut' | 'hasFindings'): boolean =>
    got.some(({ outcome }) => outcome[name]);
  return {
    document: () => joinViews(got.map(({ view }) => view)),
    lines,
    // An unreachable server is reported for every type in the same words.
    errors: [...new Set([...problems, ...got.flatMap(({ errors }) => errors)])],
    findings: got.flatMap(({ findings }) => findings),
    outcome: {
      isInterrupted: has('isInterrupted'),
      isLost: has('isLost'),
      isTimedOut: has('isTimedOut'),
      hasFindings: has('hasFindings') || problems.length > 0,
    },
  };
}

/** Explains why a type was not requested: no listed resource refers to it. */
function unreferencedTypeLine(
  type: ShortType,
  referrer: string,
  part: TypeResult | undefined,
  listed: TypeResult | undefined,
): string[] {
  const isListed = listed !== undefined && !listed.outcome.isLost && !listed.outcome.isTimedOut;
  return part === undefined && isListed ? [`no ${resourcesText(type)}: no ${referrer} names any`] : [];
}
