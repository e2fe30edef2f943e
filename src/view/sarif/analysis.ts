import type { FindingKind, Severity, SourceLocation } from '../../base/finding.js';

/** What a SARIF log reports, before files are given as URIs. */
export interface Analysis {
  /** The command, for a name that keeps the results of several commands apart. */
  command: string;
  results: readonly AnalysisResult[];
  /** Problems of the run, such as files that cannot be read. */
  notifications: readonly { id: string; severity: Severity; message: string; place: SourceLocation | null }[];
}

export interface AnalysisResult {
  rule: AnalysisRule;
  severity: Severity;
  message: string;
  place: SourceLocation;
  /** From the outside in: a resource, and a field of it. */
  logical: readonly { name: string; kind: string }[];
  /** Identifies the result in its file when lines move. Equal results are counted. */
  identity: readonly string[];
  related: readonly { message: string; place: SourceLocation }[];
}

/** What a result violates. The identifier never changes. */
export type AnalysisRule = { id: string } & Omit<FindingKind, 'isGrpcError'>;
