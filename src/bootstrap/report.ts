import type { LocatedFinding } from '../base/finding.js';
import { LineIndex, offsetOf } from '../base/json/position.js';
import { formatPath, type PathStep } from '../base/problem.js';
import { BOOTSTRAP_FINDINGS } from './lint/catalogue.js';
import { type FileState, finding, type LintFinding } from './lint/finding.js';
import { lint } from './lint/lint.js';
import { bootstrapReader } from './readers/readers.js';
import type { Preset, Switches } from './switches.js';

/** Whether gRPC accepts a bootstrap, and its findings. */
export interface BootstrapReport {
  source: string;
  /** The client that gives the verdict. */
  as: Preset;
  verdict: 'accepted' | 'rejected';
  /** The error message of the client; null if it accepts the bootstrap. */
  error: string | null;
  problems: LocatedFinding[];
}

export interface ValidateOptions {
  preset: Preset;
  /** The path of the file; undefined for the text of an environment variable. */
  file: string | undefined;
  switches: Switches;
  variables: Record<string, string | undefined>;
  inspectFile: (path: string) => FileState;
}

/** Validates a bootstrap. XI001: not JSON. XI002: JSON that gRPC rejects. All other findings are lint. */
export function validateBootstrap(source: string, bytes: Uint8Array, options: ValidateOptions): BootstrapReport {
  const { preset: as, switches, file } = options;
  const reader = bootstrapReader(as);
  const result = reader.read(bytes, switches, file);
  const verdict = result.ok
    ? ({ source, as, verdict: 'accepted', error: null } as const)
    : ({ source, as, verdict: 'rejected', error: result.message } as const);
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
  for (const one of lint({ root, bootstrap, requiresLocality: reader.requiresLocality, ...options }))
    report(one, printedPath(one.steps), offsetOf(root, one.steps));
  problems.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  return { ...verdict, problems };
}

/** Returns the report for a bootstrap that cannot be read. */
export function unreadableBootstrap(source: string, as: Preset, error: string, message: string): BootstrapReport {
  const { severity, advice } = BOOTSTRAP_FINDINGS.XI001;
  const place = { source, path: '', line: 1, column: 1 };
  return { source, as, verdict: 'rejected', error, problems: [{ code: 'XI001', severity, place, message, advice }] };
}

/** Formats a path like C-core, with keys of maps in quotes. */
function printedPath(steps: readonly PathStep[]): string {
  const [first, second, ...rest] = steps;
  const isMap = first === 'authorities' || first === 'certificate_providers' || first === 'allowed_grpc_services';
  if (!isMap || second === undefined) return formatPath(steps);
  const tail = formatPath(rest);
  return `${first}["${second}"]${tail === '' || tail.startsWith('[') ? tail : `.${tail}`}`;
}
