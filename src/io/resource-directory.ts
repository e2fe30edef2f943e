import { InputProblem } from '../base/input-problem.js';
import { walkFolder } from './folder-walk.js';
import { MAX_RESOURCES_BYTES, readInput } from './input-file.js';
import type { SourceFile } from './served-resources.js';

const RESOURCE_FILE = /\.(ya?ml|json)$/i;

/** Reads all resource files below a folder, in the order of their paths. Throws file system errors. */
export async function readDirectory(folder: string): Promise<SourceFile[]> {
  const { files, problems } = await walkFolder(folder, RESOURCE_FILE);
  const [first] = problems;
  if (first !== undefined) throw new InputProblem(`${first.path}: ${first.problem}`);
  return await Promise.all(
    files.map(async (path) => ({ path, text: (await readInput(path, MAX_RESOURCES_BYTES)).toString() })),
  );
}
