import { readFileSync, statSync } from 'node:fs';
import { reason } from './file-problem.js';
import { filesBelow } from './resource-directory.js';

const RESOURCE_FILE = /\.(ya?ml|json|binpb|pb)$/i;

type ResourceSource = { source: string; bytes: Uint8Array } | { source: string; problem: string };

/** Reads a file, `-` for stdin, or the resource files below a folder. */
export async function* resourceSources(
  typed: string,
  readStdin: () => Promise<Uint8Array>,
): AsyncGenerator<ResourceSource> {
  let sources = [typed];
  try {
    if (typed !== '-' && statSync(typed).isDirectory()) sources = await filesBelow(typed, RESOURCE_FILE);
  } catch (error) {
    yield { source: typed, problem: `cannot be read: ${reason(error)}` };
    return;
  }
  if (sources.length === 0) {
    yield { source: typed, problem: 'contains no resource files (*.yaml, *.yml, *.json, *.binpb, *.pb)' };
  }
  for (const source of sources) {
    try {
      yield { source, bytes: source === '-' ? await readStdin() : readFileSync(source) };
    } catch (error) {
      yield { source, problem: `cannot be read: ${reason(error)}` };
    }
  }
}
