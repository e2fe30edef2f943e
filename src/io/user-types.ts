import { readFileSync, statSync } from 'node:fs';
import { InputProblem } from '../base/input-problem.js';
import { type Catalogue, xdsCatalogue } from '../proto/json/catalogue.js';
import type { Drafts } from '../proto/user-types/draft.js';
import { problemLines } from '../view/problem-text.js';
import { reason } from './file-problem.js';
import { filesBelow } from './resource-directory.js';

/** The xDS API with the types of `--descriptor-set` and `--proto-path`. Their parsers are loaded on use. */
export async function catalogueFor(
  { descriptorSet: sets, protoPath: folders }: { descriptorSet: readonly string[]; protoPath: readonly string[] },
  out: { remark(sentence: string): void },
): Promise<Catalogue> {
  if (sets.length === 0 && folders.length === 0) return xdsCatalogue;
  const problems: string[] = [];
  const drafts = [...(await fromSets(sets, problems)), ...(await fromFolders(folders, problems))];
  if (problems.length > 0) throw new InputProblem(problemLines(problems));
  const { userCatalogue } = await import('../proto/user-types/user-catalogue.js');
  const { catalogue, unresolved } = userCatalogue(drafts, xdsCatalogue);
  const [first, ...more] = unresolved;
  if (first !== undefined) {
    const others = more.length === 0 ? '' : `, and ${more.length} more`;
    out.remark(`fields are shown by number, because no file defines the type: ${first}${others}`);
  }
  return catalogue;
}

async function fromSets(paths: readonly string[], problems: string[]): Promise<Drafts[]> {
  const { readDescriptorSet } = await import('../proto/user-types/descriptor-set.js');
  return paths.flatMap((path) => readWith(path, readDescriptorSet, problems));
}

async function fromFolders(folders: readonly string[], problems: string[]): Promise<Drafts[]> {
  const files: string[] = [];
  for (const folder of folders) files.push(...(await protoFiles(folder, problems)));
  if (files.length === 0) return [];
  const { readProtoSource } = await import('../proto/user-types/proto-source.js');
  return files.flatMap((path) => readWith(path, (bytes) => readProtoSource(new TextDecoder().decode(bytes)), problems));
}

async function protoFiles(folder: string, problems: string[]): Promise<string[]> {
  try {
    if (!statSync(folder).isDirectory()) {
      problems.push(`${folder}: --proto-path takes a folder`);
      return [];
    }
    const files = await filesBelow(folder, /\.proto$/);
    if (files.length === 0) problems.push(`${folder}: contains no .proto files`);
    return files;
  } catch (error) {
    problems.push(`${folder}: cannot be read: ${reason(error)}`);
    return [];
  }
}

function readWith(
  path: string,
  read: (bytes: Uint8Array) => Drafts | { problem: string },
  problems: string[],
): Drafts[] {
  let found: Drafts | { problem: string };
  try {
    found = read(readFileSync(path));
  } catch (error) {
    found = { problem: `cannot be read: ${reason(error)}` };
  }
  if (!('problem' in found)) return [found];
  problems.push(`${path}: ${found.problem}`);
  return [];
}
