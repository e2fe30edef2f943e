import { statSync } from 'node:fs';
import { guardedPath } from './file-guard.js';
import { reason } from './file-problem.js';
import { type FolderWalk, walkFolder } from './folder-walk.js';
import { MAX_RESOURCES_BYTES, readInput } from './input-file.js';

const RESOURCE_FILE = /\.(ya?ml|json|binpb|pb)$/i;

type ResourceSource = { source: string; bytes: Uint8Array } | { source: string; problem: string };

/** Reads a file, `-` for stdin, or the resource files below a folder. */
export async function* resourceSources(
  typed: string,
  readStdin: (maxBytes: number) => Promise<Uint8Array>,
): AsyncGenerator<ResourceSource> {
  let sources = [typed];
  let problems: FolderWalk['problems'] = [];
  try {
    if (typed !== '-' && statSync(guardedPath(typed)).isDirectory())
      ({ files: sources, problems } = await walkFolder(typed, RESOURCE_FILE));
  } catch (error) {
    yield { source: typed, problem: `cannot be read: ${reason(error)}` };
    return;
  }
  for (const { path, problem } of problems) yield { source: path, problem };
  if (sources.length === 0 && problems.length === 0) {
    yield { source: typed, problem: 'contains no resource files (*.yaml, *.yml, *.json, *.binpb, *.pb)' };
  }
  for (const source of sources) {
    try {
      const bytes = await (source === '-' ? readStdin(MAX_RESOURCES_BYTES) : readInput(source, MAX_RESOURCES_BYTES));
      yield { source, bytes };
    } catch (error) {
      yield { source, problem: `cannot be read: ${reason(error)}` };
    }
  }
}
