import type { Severity } from '../../base/finding.js';
import type { JsonNode } from '../../base/json/node.js';
import type { PathStep } from '../../base/problem.js';
import type { Bootstrap } from '../bootstrap.js';
import type { Switches } from '../switches.js';
import { BOOTSTRAP_FINDINGS, type BootstrapCode } from './catalogue.js';

/** A finding of a lint rule, without its position in the text. */
export interface LintFinding {
  code: BootstrapCode;
  severity: Severity;
  /** Empty for a finding about the whole source. */
  steps: readonly PathStep[];
  message: string;
}

/** State of a file that a bootstrap names. A file that may not be opened is unchecked. */
export type FileState =
  | { kind: 'readable'; expired: string | undefined }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'unchecked' };

/** The input of a lint rule. */
export interface LintContext {
  root: JsonNode;
  /** `undefined` if gRPC rejects the bootstrap. */
  bootstrap: Bootstrap | undefined;
  switches: Switches;
  /** XI044: the verdict reports a node without a locality. */
  requiresLocality: boolean;
  variables: Record<string, string | undefined>;
  /** Checks whether a certificate file is readable, and whether it has expired. */
  inspectFile: (path: string) => FileState;
}

export type LintRule = (context: LintContext) => LintFinding[];

export function finding(
  code: BootstrapCode,
  steps: readonly PathStep[],
  message: string,
  severity: Severity = BOOTSTRAP_FINDINGS[code].severity,
): LintFinding {
  return { code, severity, steps, message };
}
