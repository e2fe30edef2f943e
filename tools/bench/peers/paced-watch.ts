import type { Plane } from './plane.ts';
import { Watching } from './watching.ts';

/** Updates until V8 and the connection are warm. */
const WARM_UP = 200;
/** The last lines may still be in the pipe. */
const LAST_LINES_MS = 500;

/** `watch -o ndjson` in a pipe: measures from the moment at which the control plane writes an update until its line is read. */
export class PacedWatch {
  readonly watching: Watching;
  readonly #plane: Plane;
  readonly #rate: number;
  readonly #printed: Map<string, number>;

  private constructor(watching: Watching, plane: Plane, rate: number, printed: Map<string, number>) {
    this.watching = watching;
    this.#plane = plane;
    this.#rate = rate;
    this.#printed = printed;
  }

  /** `rate`: updates per second. `node`: arguments of Node. */
  static async start(root: string, plane: Plane, rate: number, node: string[] = []): Promise<PacedWatch> {
    const printed = new Map<string, number>();
    const toUnixTime = unixTime();
    const onLine = (line: string): void => {
      const event = JSON.parse(line) as { kind: string; version?: string };
      if (event.kind === 'resource') printed.set(String(event.version), toUnixTime(performance.now()));
    };
    const watching = await Watching.start(root, plane, onLine, { node, watch: ['-o', 'ndjson'] });
    const paced = new PacedWatch(watching, plane, rate, printed);
    await paced.run(WARM_UP);
    return paced;
  }

  /** Sends updates. Returns the number of those that were written, and the delays of the printed ones in ascending order. */
  async run(updates: number): Promise<{ written: number; delays: number[]; cpuMs: number }> {
    const before = this.watching.meter.cpuMs();
    const written = await this.#plane.pacedUpdates(updates, this.#rate);
    await new Promise((wake) => setTimeout(wake, LAST_LINES_MS));
    const cpuMs = this.watching.meter.cpuMs() - before;
    const delays = [...written].flatMap(([version, at]) => {
      const printedAt = this.#printed.get(version);
      return printedAt === undefined ? [] : [printedAt - at];
    });
    this.#printed.clear();
    if (delays.length === 0) throw new Error('no update was printed');
    return { written: written.size, delays: delays.sort((a, b) => a - b), cpuMs };
  }
}

/** The delay that this share of the sorted delays does not exceed. */
export function delayOf(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] as number;
}

/**
 * Converts the clock of this process to Unix time, which the control plane uses. `Date` has whole milliseconds only, so
 * this waits for the start of one. An interruption makes the start appear late, so the earliest of many counts.
 */
function unixTime(): (at: number) => number {
  let offset = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < 50; i++) {
    const last = Date.now();
    let now = last;
    while (now === last) now = Date.now();
    offset = Math.max(offset, now - performance.now());
  }
  return (at) => at + offset;
}
