/** The most severe first. An error breaks real clients, a warning may break them, a note is information only. */
export const SEVERITIES = ['error', 'warning', 'note'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** A position in a file, in stdin (`-`) or in an environment variable. */
export interface SourceLocation {
  source: string;
  /** A field, in the format of C-core: `xds_servers[0].channel_creds`; empty for the whole source. */
  path: string;
  line: number;
  column: number;
}

/** The meaning of a finding code. */
export interface FindingKind {
  severity: Severity;
  title: string;
  /** One sentence that describes the problem. */
  what: string;
  /** One sentence on what to do. */
  advice: string;
  /** An error of gRPC itself, which `--suppress` does not hide. */
  isGrpcError?: true;
}

/** A problem in a bootstrap, in a resource file or in the messages of a control plane. */
export interface Finding {
  code: string;
  /** Most findings have the severity of their code. */
  severity: Severity;
  /** Undefined for protocol findings, which name a client and a server instead. */
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

/** Orders findings: the most severe first, then by code. */
export function worstFirst(a: Pick<Finding, 'severity' | 'code'>, b: Pick<Finding, 'severity' | 'code'>): number {
  return rank(a.severity) - rank(b.severity) || (a.code < b.code ? -1 : 1);
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}
