import { InputProblem } from '../base/input-problem.js';
import { readResourceFiles, servedTypes } from '../scenario/read-resource-files.js';
import type { Scenario, ServedType } from '../scenario/scenario.js';
import { problemLines, problemText } from '../view/problem-text.js';
import type { ControlPlaneHost } from './control-plane-host.js';
import { unreadable } from './file-problem.js';
import { readDirectory, watchDirectory } from './resource-directory.js';

const SERVER = 'primary';

/** A folder of resource files that a control plane with one server serves. */
export class ServedFolder {
  readonly scenario: Scenario;
  readonly #folder: string;
  #served: ServedType[];

  private constructor(folder: string, servedTypes: ServedType[]) {
    this.#folder = folder;
    this.#served = servedTypes;
    this.scenario = {
      title: '',
      nodeId: 'xds-inspect',
      authorities: new Map(),
      steps: [],
      servers: [{ name: SERVER, state: 'listening', servedTypes, triggers: [] }],
    };
  }

  static async open(folder: string): Promise<ServedFolder> {
    return new ServedFolder(folder, await load(folder, []));
  }

  /** Serves the new contents after each change. While a file is invalid, the last valid contents are served. */
  follow(host: ControlPlaneHost, onProblem: (message: string) => void): () => void {
    const reload = async (): Promise<void> => {
      const servedTypes = await load(this.#folder, this.#served);
      const changed = servedTypes.filter((one) => !this.#served.includes(one));
      this.#served = servedTypes;
      if (changed.length > 0) host.enqueue({ kind: 'served-types', server: SERVER, servedTypes: changed });
    };
    // Reloads run one after the other, so that an older one never replaces a newer one.
    let reading = Promise.resolve();
    const queue = (): void => {
      reading = reading.then(reload).catch((error: Error) => onProblem(error.message));
    };
    const stop = watchDirectory(this.#folder, queue);
    // Picks up changes between the first load and the start of the watcher.
    queue();
    return stop;
  }
}

async function load(folder: string, before: ServedType[]): Promise<ServedType[]> {
  const files = await readDirectory(folder).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(error.path ?? folder, error);
  });
  const { resources, problems } = readResourceFiles(files);
  if (problems.length === 0) return servedTypes(resources, before);
  throw new InputProblem(problemLines(problems.map((problem) => problemText(problem.file, problem))));
}
