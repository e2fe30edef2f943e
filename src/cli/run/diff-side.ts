import type { ExitCode } from '../../base/exit-codes.js';
import { Failure } from '../../base/failure.js';
import type { ResourceSet } from '../../inspect/diff/resource-set.js';
import { mergeParts, type SidePart } from '../../inspect/diff-sides/merge-parts.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import type { Outcome } from '../../inspect/outcome.js';
import type { WaitOptions } from '../../inspect/until.js';
import type { DiffInput } from '../commands/diff.js';
import type { Printer } from '../printer.js';

/** What the readers of both sides share. */
export interface Reading {
  input: DiffInput;
  out: Printer;
  wait: Pick<WaitOptions, 'tick'>;
  /** Aborted by Ctrl-C. */
  interrupt: AbortSignal;
  /** The clients that are waited for, for the progress line. */
  inspections: Set<ClientInspection>;
}

/** A side that was read, at least in part, with messages about the rest; or why it was not. */
export type ReadSide =
  | { kind: 'read'; set: ResourceSet; problems: readonly string[]; outcome: Outcome }
  | { kind: 'failed'; problems: readonly string[]; exitCode: ExitCode };

/** A side that was read completely. */
export function readSide(label: string, parts: readonly SidePart[], notes: readonly string[] = []): ReadSide {
  const merged = mergeParts(parts);
  const set = { label, resources: merged.resources, notes: [...notes, ...merged.notes] };
  return { kind: 'read', set, problems: [], outcome: {} };
}

export function failedSide(exitCode: ExitCode, ...problems: string[]): ReadSide {
  return { kind: 'failed', problems, exitCode };
}

/** A failure of one side does not hide those of the other. */
export async function catchFailure(read: () => Promise<ReadSide>): Promise<ReadSide> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failedSide(error.exitCode, error.message);
  }
}
