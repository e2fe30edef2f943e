import { type LocatedFinding, worstFirst } from '../base/finding.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { shortType } from '../proto/resource-types.js';
import { timestamp } from '../proto/timestamp.js';

/** A finding, for people and for scripts. */
export interface FindingView
  extends Pick<ProtocolFinding, 'code' | 'severity' | 'scope' | 'server' | 'names' | 'count' | 'message' | 'advice'> {
  type: string | null;
  /** The resource name, if the finding is about exactly one. */
  name: string | null;
  /** Occurrences per second, for a repeated finding. */
  rate: number | null;
  /** The problem still occurs. */
  ongoing: boolean;
  begin: string;
  last: string;
  /** From the first occurrence to the last. */
  durationMs: number;
}

/** The worst first, then by code. */
export function findingViews(findings: readonly ProtocolFinding[]): FindingView[] {
  return [...findings].sort(worstFirst).map(findingView);
}

/** A finding in a file, for scripts. */
export function locatedView({
  code,
  severity,
  place: { path, line, column },
  message,
  advice,
}: LocatedFinding): object {
  return { code, severity, path, message, line, column, advice };
}

function findingView(finding: ProtocolFinding): FindingView {
  const { code, severity, scope, server, typeUrl, names, count, rate, isOngoing, begin, last, message, advice } =
    finding;
  return {
    code,
    severity,
    scope,
    server,
    type: typeUrl === undefined ? null : shortType(typeUrl),
    name: names.length === 1 ? (names[0] as string) : null,
    names,
    count,
    rate: rate ?? null,
    ongoing: isOngoing,
    begin: timestamp(begin),
    last: timestamp(last),
    durationMs: last - begin,
    message,
    advice,
  };
}
