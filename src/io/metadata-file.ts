import { parseSource } from '../base/document.js';
import { InputProblem } from '../base/input-problem.js';
import { describeValue, isMapping } from '../base/shape.js';
import { problemLines, problemText } from '../view/problem-text.js';
import { readText } from './file-problem.js';

/** The keys of `node.metadata` in a JSON or YAML file. */
export async function readMetadataFile(path: string): Promise<[string, unknown][]> {
  const { value, problems } = parseSource(await readText(path));
  if (problems.length > 0) throw new InputProblem(problemLines(problems.map((one) => problemText(path, one))));
  if (!isMapping(value))
    throw new InputProblem(`${path}: expected a mapping, the node.metadata to add, got ${describeValue(value)}`);
  return Object.entries(value);
}
