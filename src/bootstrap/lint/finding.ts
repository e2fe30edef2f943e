import type { JsonNode } from '../../base/json/node.js';
import type { PathStep } from '../../base/problem.js';
import type { Bootstrap } from '../bootstrap.js';
import type { Switches } from '../switches.js';

export type Severity = 'error' | 'warning' | 'note';

/** Something about a bootstrap that gRPC accepts, or says too little about. */
export interface Finding {
  code: string;
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

export type LintRule = (context: LintContext) => Finding[];

export function finding(code: string, severity: Severity, steps: readonly PathStep[], message: string): Finding {
  return { code, severity, steps, message };
}

export function warning(code: string, steps: readonly PathStep[], message: string): Finding {
  return finding(code, 'warning', steps, message);
}
