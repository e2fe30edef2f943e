import { InputProblem } from '../base/input-problem.js';
import { withoutFileGuard } from './file-guard.js';
import { MAX_SETTINGS_BYTES, readInput, readRegularFile } from './input-file.js';

/** The reason in a file system error, without error code and system call. */
export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  return message;
}

export function unreadable(path: string, error: unknown): InputProblem {
  return new InputProblem(`${path}: cannot be read: ${reason(error)}`);
}

/** Reads a text that a user wrote, such as a scenario. */
export async function readText(path: string): Promise<string> {
  try {
    return (await readInput(path, MAX_SETTINGS_BYTES)).toString();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Checks a file of the user that is read later, such as a certificate. */
export function mustBeReadable(path: string): void {
  try {
    withoutFileGuard(() => readRegularFile(path, MAX_SETTINGS_BYTES));
  } catch (error) {
    throw new InputProblem(`${path} cannot be read: ${(error as Error).message}`);
  }
}
