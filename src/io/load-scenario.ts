import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputProblem } from '../base/input-problem.js';
import { readScenario } from '../scenario/read-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import { problemLines, problemText } from '../view/problem-text.js';
import { readText, reason } from './file-problem.js';

/** Reads a scenario file. Throws an InputProblem that lists every problem with its position. */
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
