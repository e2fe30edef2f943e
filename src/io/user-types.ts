import { statSync } from 'node:fs';
import { InputProblem } from '../base/input-problem.js';
import { type Catalogue, xdsCatalogue } from '../proto/json/catalogue.js';
import type { Drafts } from '../proto/user-types/draft.js';
import { problemLines } from '../view/problem-text.js';
import { reason } from './file-problem.js';
import { walkFolder } from './folder-walk.js';
import { MAX_RESOURCES_BYTES, MAX_SETTINGS_BYTES, readInput } from './input-file.js';

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
  return await readEach(paths, MAX_RESOURCES_BYTES, readDescriptorSet, problems);
}

async function fromFolders(folders: readonly string[], problems: string[]): Promise<Drafts[]> {
  const files: string[] = [];
  for (const folder of folders) files.push(...(await protoFiles(folder, problems)));
  if (files.length === 0) return [];
  const { readProtoSource } = await import('../proto/user-types/proto-source.js');
  const read = (bytes: Uint8Array) => readProtoSource(new TextDecoder().decode(bytes));
  return await readEach(files, MAX_SETTINGS_BYTES, read, problems);
}

async function protoFiles(folder: string, problems: string[]): Promise<string[]> {
  try {
    if (!statSync(folder).isDirectory()) {
      problems.push(`${folder}: --proto-path takes a folder`);
      return [];
    }
    const { files, problems: unread } = await walkFolder(folder, /\.proto$/);
    problems.push(...unread.map(({ path, problem }) => `${path}: ${problem}`));
    if (files.length === 0 && unread.length === 0) problems.push(`${folder}: contains no .proto files`);
    return files;
  } catch (error) {
    problems.push(`${folder}: cannot be read: ${reason(error)}`);
    return [];
  }
}

async function readEach(
  paths: readonly string[],
  maxBytes: number,
  read: (bytes: Uint8Array) => Drafts | { problem: string },
  problems: string[],
): Promise<Drafts[]> {
  const all: Drafts[] = [];
  for (const path of paths) {
    let found: Drafts | { problem: string };
    try {
      found = read(await readInput(path, maxBytes));
    } catch (error) {
      found = { problem: `cannot be read: ${reason(error)}` };
    }
    if ('problem' in found) problems.push(`${path}: ${found.problem}`);
    else all.push(found);
  }
  return all;
}
