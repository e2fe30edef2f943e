import type { LocatedFinding } from '../base/finding.js';
import { LineIndex, offsetOf } from '../base/json/position.js';
import { formatPath, type PathStep } from '../base/problem.js';
import { BOOTSTRAP_FINDINGS } from './lint/catalogue.js';
import { type FileState, finding, type LintFinding } from './lint/finding.js';
import { lint } from './lint/lint.js';
import { readBootstrap } from './read-bootstrap.js';
import type { Switches } from './switches.js';

/** What gRPC makes of a bootstrap, and what else there is to say. */
export interface BootstrapReport {
  source: string;
  verdict: 'accepted' | 'rejected';
  /** What C-core says when it rejects it. */
  error: string | null;
  problems: LocatedFinding[];
}

export interface ValidateOptions {
  switches: Switches;
  variables: Record<string, string | undefined>;
  inspectFile: (path: string) => FileState;
}

/** XI001: no JSON. XI002: JSON that gRPC rejects. Everything else is lint. */
export function validateBootstrap(source: string, bytes: Uint8Array, options: ValidateOptions): BootstrapReport {
  const result = readBootstrap(bytes, options.switches);
  const verdict = result.ok
    ? ({ source, verdict: 'accepted', error: null } as const)
    : ({ source, verdict: 'rejected', error: result.message } as const);
  const problems: LocatedFinding[] = [];
  const lines = new LineIndex(bytes);
  const report = ({ code, severity, message }: LintFinding, path: string, offset: number): void => {
    const place = { source, path, ...lines.positionOf(offset) };
    problems.push({ code, severity, place, message, advice: BOOTSTRAP_FINDINGS[code].advice });
  };
  if (!result.ok && result.syntax !== undefined)
    report(finding('XI001', [], result.syntax.reason), '', result.syntax.offset);
  const { root } = result;
  if (root === undefined) return { ...verdict, problems };
  if (!result.ok)
    for (const { path, steps, reason } of result.fields)
      report(finding('XI002', steps, reason), path, offsetOf(root, steps));
  const bootstrap = result.ok ? result.bootstrap : undefined;
  for (const one of lint({ root, bootstrap, ...options }))
    report(one, printedPath(one.steps), offsetOf(root, one.steps));
  problems.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  return { ...verdict, problems };
}

/** There is no bootstrap to judge. */
export function unreadableBootstrap(source: string, error: string, message: string): BootstrapReport {
  const { severity, advice } = BOOTSTRAP_FINDINGS.XI001;
  const place = { source, path: '', line: 1, column: 1 };
  return { source, verdict: 'rejected', error, problems: [{ code: 'XI001', severity, place, message, advice }] };
}

/** Keys of maps in quotes, as in C-core's paths. */
function printedPath(steps: readonly PathStep[]): string {
  const [first, second, ...rest] = steps;
  const isMap = first === 'authorities' || first === 'certificate_providers' || first === 'allowed_grpc_services';
  if (!isMap || second === undefined) return formatPath(steps);
  const tail = formatPath(rest);
  return `${first}["${second}"]${tail === '' || tail.startsWith('[') ? tail : `.${tail}`}`;
}
