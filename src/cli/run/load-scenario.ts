import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputProblem } from '../../base/input-problem.js';
import { readScenario } from '../../scenario/read-scenario.js';
import type { Scenario } from '../../scenario/scenario.js';
import { problemLines, problemText } from '../problem-text.js';

/** Reads a scenario file; every problem in it is told with its place. */
export function loadScenario(path: string): Scenario {
  const result = readScenario(readText(path), (name) => {
    try {
      return { text: readFileSync(join(dirname(path), name), 'utf8') };
    } catch (error) {
      return { failure: `cannot be read: ${reason(error)}` };
    }
  });
  if (result.ok) return result.scenario;
  throw new InputProblem(problemLines(result.problems.map((problem) => problemText(path, problem))));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputProblem(`${path}: cannot be read: ${reason(error)}`);
  }
}

/** What the file system said, without its code and call. */
export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  return message;
}
