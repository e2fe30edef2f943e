import { readFileSync } from 'node:fs';
import { InputProblem } from '../base/input-problem.js';

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

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Checks a file that is read later, such as a certificate. */
export function mustBeReadable(path: string): void {
  try {
    readFileSync(path);
  } catch (error) {
    throw new InputProblem(`${path} cannot be read: ${(error as Error).message}`);
  }
}
