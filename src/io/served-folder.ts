import { statSync } from 'node:fs';
import { parseSources } from '../base/document.js';
import { InputProblem } from '../base/input-problem.js';
import { hasResources } from '../resources/files/file-resources.js';
import type { Scenario, ServedType } from '../scenario/scenario.js';
import { servedTypes } from '../scenario/served-types.js';
import { problemLines, problemText } from '../view/problem-text.js';
import { blockingWork } from './blocking-work.js';
import type { ControlPlaneHost } from './control-plane-host.js';
import { embeddedFile } from './embedded-files.js';
import { unreadable } from './file-problem.js';
import { watchDirectory } from './folder-watcher.js';
import { MAX_RESOURCES_BYTES, readInput } from './input-file.js';
import { readDirectory } from './resource-directory.js';
import { type FileProblem, readServedResources, type SourceFile } from './served-resources.js';

const SERVER = 'primary';

/** Resource files that a control plane with one server serves: a folder of them, or one file. */
export class ServedFolder {
  readonly scenario: Scenario;
  /** Lines about parts that are not served. */
  readonly remarks: readonly string[];
  readonly #path: string;
  #loaded: Loaded;

  private constructor(path: string, loaded: Loaded) {
    this.#path = path;
    this.#loaded = loaded;
    this.remarks = loaded.remarks;
    this.scenario = {
      title: '',
      nodeId: 'xds-inspect',
      authorities: new Map(),
      steps: [],
      servers: [{ name: SERVER, state: 'listening', servedTypes: loaded.servedTypes, triggers: [] }],
    };
  }

  /** Reads a folder, or a file with resources; `undefined` for another file. */
  static async open(path: string): Promise<ServedFolder | undefined> {
    const kind = kindOf(path);
    // A pipe can be read only once: it contains a scenario.
    if (kind === 'other') return undefined;
    if (kind === 'file') {
      const text = await readResources(path);
      if (!hasResources(blockingWork(() => parseSources(text)).value)) return undefined;
    }
    return new ServedFolder(path, await load(path, []));
  }

  /** Serves the new contents after each change. While a file is invalid, the last valid contents are served. */
  follow(host: ControlPlaneHost, onProblem: (message: string) => void, onRemark: (line: string) => void): () => void {
    const reload = async (): Promise<void> => {
      const before = this.#loaded;
      this.#loaded = await load(this.#path, before.servedTypes);
      const changed = this.#loaded.servedTypes.filter((one) => !before.servedTypes.includes(one));
      if (changed.length > 0) host.enqueue({ kind: 'served-types', server: SERVER, servedTypes: changed });
      for (const line of this.#loaded.remarks) if (!before.remarks.includes(line)) onRemark(line);
    };
    // Reloads run one after the other, so that an older one never replaces a newer one.
    let reading = Promise.resolve();
    const queue = (): void => {
      reading = reading.then(reload).catch((error: Error) => onProblem(error.message));
    };
    return watchDirectory(this.#path, queue);
  }
}

interface Loaded {
  servedTypes: ServedType[];
  remarks: readonly string[];
}

async function load(path: string, before: ServedType[]): Promise<Loaded> {
  const files = kindOf(path) === 'folder' ? await readFolder(path) : [{ path, text: await readResources(path) }];
  const { resources, problems, unknownParts } = blockingWork(() => readServedResources(files));
  const line = (problem: FileProblem): string => problemText(problem.file, problem);
  if (problems.length > 0) throw new InputProblem(problemLines([...problems, ...unknownParts].map(line)));
  return { servedTypes: servedTypes(resources, before), remarks: unknownParts.map(line) };
}

async function readFolder(folder: string): Promise<SourceFile[]> {
  return await readDirectory(folder).catch((error: NodeJS.ErrnoException) => {
    throw error instanceof InputProblem ? error : unreadable(error.path ?? folder, error);
  });
}

async function readResources(path: string): Promise<string> {
  try {
    return (await readInput(path, MAX_RESOURCES_BYTES)).toString();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function kindOf(path: string): 'folder' | 'file' | 'other' {
  // A built-in scenario.
  if (embeddedFile(path) !== undefined) return 'other';
  try {
    const found = statSync(path);
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
  } catch (error) {
    throw unreadable(path, error);
  }
}
