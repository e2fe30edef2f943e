import type { Severity } from '../../base/finding.js';
import type { JsonNode } from '../../base/json/node.js';
import type { PathStep } from '../../base/problem.js';
import type { Bootstrap } from '../bootstrap.js';
import type { Switches } from '../switches.js';
import { BOOTSTRAP_FINDINGS, type BootstrapCode } from './catalogue.js';

/** A finding that a rule makes, before its place is looked up in the text. */
export interface LintFinding {
  code: BootstrapCode;
  severity: Severity;
  /** Empty where it is about the source as a whole. */
  steps: readonly PathStep[];
  message: string;
}

/** What is known of a file that a bootstrap names. */
export type FileState = { kind: 'readable'; expired: string | undefined } | { kind: 'unreadable'; reason: string };

/** Everything that a lint rule may look at. */
export interface LintContext {
  root: JsonNode;
  /** `undefined` where gRPC rejects the bootstrap. */
  bootstrap: Bootstrap | undefined;
  switches: Switches;
  variables: Record<string, string | undefined>;
  /** Looks at a certificate file: whether it can be read, and whether it has expired. */
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
