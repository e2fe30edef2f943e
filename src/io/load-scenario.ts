import { dirname, join } from 'node:path';
import { InputProblem } from '../base/input-problem.js';
import type { ReadFile } from '../scenario/read-resources.js';
import { readScenario } from '../scenario/read-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import { problemLines, problemText } from '../view/problem-text.js';
import { blockingWork } from './blocking-work.js';
import { readText, reason } from './file-problem.js';
import { MAX_RESOURCES_BYTES, readRegularFile } from './input-file.js';

/** Reads a scenario file. Throws an InputProblem that lists every problem with its position. */
export async function loadScenario(path: string): Promise<Scenario> {
  const text = await readText(path);
  const readFile: ReadFile = (name) => {
    try {
      return { text: readRegularFile(join(dirname(path), name), MAX_RESOURCES_BYTES).toString() };
    } catch (error) {
      return { failure: `cannot be read: ${reason(error)}` };
    }
  };
  const result = blockingWork(() => readScenario(text, readFile));
  if (result.ok) return result.scenario;
  throw new InputProblem(problemLines(result.problems.map((problem) => problemText(path, problem))));
}
