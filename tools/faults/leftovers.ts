import { readdirSync, readFileSync } from 'node:fs';

/** An environment variable that all descendants of this process inherit. Its value is unique to this run. */
const MARK = 'XDS_INSPECT_FAULTS_RUN';
const run = `${process.pid}-${Math.trunc(performance.timeOrigin)}`;

/** The environment of a child process that `markedProcesses` finds, with its children. */
export function marked(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, [MARK]: run };
}

/** The processes with the mark of this run: `pid command line`. */
export function markedProcesses(): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      if (!environment.includes(`${MARK}=${run}`)) continue;
      found.push(`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()}`);
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
  return found;
}

/** Open sockets, servers, timers, pipes and child processes that keep this process alive, by kind. */
export function activeResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The kinds of resources of which there are more than before. */
function leftResources(before: ReadonlyMap<string, number>, after = activeResources()): string[] {
  return [...after].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
}

/** Everything that a suite has left behind; empty if nothing. */
export function leftovers(before: ReadonlyMap<string, number>, folder: string): string[] {
  return [
    ...markedProcesses().map((process) => `a process is still running: ${process}`),
    ...leftResources(before).map((resource) => `still open in this process: ${resource}`),
    ...readdirSync(folder, { recursive: true }).map((file) => `a file was left: ${file}`),
  ];
}
