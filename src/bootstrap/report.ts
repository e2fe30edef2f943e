import { LineIndex, offsetOf } from '../base/json/place.js';
import { formatPath, type PathStep } from '../base/problem.js';
import type { FileState, Severity } from './lint/finding.js';
import { lint } from './lint/lint.js';
import { readBootstrap } from './read-bootstrap.js';
import type { Switches } from './switches.js';

/** One thing about a bootstrap, with its place. */
export interface BootstrapProblem {
  code: string;
  severity: Severity;
  /** As C-core prints paths: `xds_servers[0].channel_creds`; empty for the whole. */
  path: string;
  message: string;
  line: number;
  column: number;
}

/** What gRPC makes of a bootstrap, and what else there is to say. */
export interface BootstrapReport {
  verdict: 'accepted' | 'rejected';
  /** What C-core says when it rejects it. */
  error: string | null;
  problems: BootstrapProblem[];
}

export interface JudgeOptions {
  switches: Switches;
  variables: Record<string, string | undefined>;
  inspectFile: (path: string) => FileState;
}

/** XI001: no JSON. XI002: JSON that gRPC rejects. Everything else is lint. */
export function judgeBootstrap(bytes: Uint8Array, options: JudgeOptions): BootstrapReport {
  const result = readBootstrap(bytes, options.switches);
  const problems: BootstrapProblem[] = [];
  const lines = new LineIndex(bytes);
  if (!result.ok && result.syntax !== undefined) {
    problems.push({
      code: 'XI001',
      severity: 'error',
      path: '',
      message: result.syntax.reason,
      ...lines.placeOf(result.syntax.offset),
    });
  }
  const { root } = result;
  if (root === undefined) return { verdict: 'rejected', error: result.ok ? null : result.message, problems };
  const locate = (steps: readonly PathStep[]): { line: number; column: number } => lines.placeOf(offsetOf(root, steps));
  if (!result.ok) {
    for (const { path, steps, reason } of result.fields)
      problems.push({ code: 'XI002', severity: 'error', path, message: reason, ...locate(steps) });
  }
  const bootstrap = result.ok ? result.bootstrap : undefined;
  for (const { code, severity, steps, message } of lint({ root, bootstrap, ...options })) {
    problems.push({ code, severity, path: printedPath(steps), message, ...locate(steps) });
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { verdict: result.ok ? 'accepted' : 'rejected', error: result.ok ? null : result.message, problems };
}

/** Keys of maps in quotes, as in C-core's paths. */
function printedPath(steps: readonly PathStep[]): string {
  const [first, second, ...rest] = steps;
  const isMap = first === 'authorities' || first === 'certificate_providers' || first === 'allowed_grpc_services';
  if (!isMap || second === undefined) return formatPath(steps);
  const tail = formatPath(rest);
  return `${first}["${second}"]${tail === '' || tail.startsWith('[') ? tail : `.${tail}`}`;
}
