/** The worst first. An error breaks real clients, a warning may, a note is worth knowing. */
export const SEVERITIES = ['error', 'warning', 'note'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** A place in a file, or in what stands for one: `-`, the name of a variable. */
export interface SourceLocation {
  source: string;
  /** A field, as C-core prints paths: `xds_servers[0].channel_creds`; empty for the whole. */
  path: string;
  line: number;
  column: number;
}

/** What a code means. */
export interface FindingKind {
  severity: Severity;
  title: string;
  /** One sentence: what is so. */
  what: string;
  /** One sentence: what to do. */
  advice: string;
  /** gRPC's own verdict, which `--suppress` does not hide. */
  isGrpcError?: true;
}

/** Something that deserves attention in a bootstrap, in a resource file or in what a control plane sends. */
export interface Finding {
  code: string;
  /** Most findings have the severity of their code. */
  severity: Severity;
  /** Findings on the wire have none: they name a client and a server instead. */
  place?: SourceLocation;
  message: string;
  advice: string;
}

/** A finding in a file. */
export interface LocatedFinding extends Finding {
  place: SourceLocation;
}

/** Whether a finding is at least as severe as a threshold. */
export function isAtLeast(threshold: Severity): (finding: { severity: Severity }) => boolean {
  return ({ severity }) => rank(severity) <= rank(threshold);
}

/** Order of findings: the worst first, then by code. */
export function worstFirst(a: Pick<Finding, 'severity' | 'code'>, b: Pick<Finding, 'severity' | 'code'>): number {
  return rank(a.severity) - rank(b.severity) || (a.code < b.code ? -1 : 1);
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}
