import type { ClientInspection } from '../../inspect/inspection.js';
import type { ResourceFilter } from '../../inspect/resource-filter.js';
import { Screen } from '../../io/screen.js';
import type { Page } from '../../view/formats.js';
import { liveFrame } from '../../view/render/watch-frame.js';
import type { CliEnvironment } from '../environment.js';

/** However little happens, ages go on. */
const SLOWEST_MS = 1000;

/** For the line that says how it ended, and the prompt. */
const LINES_BELOW = 2;

/** A table on a terminal, drawn anew when something has changed, when the terminal has, and once a second. */
export class LiveTable {
  /** However much happens, no more than five pictures a second. */
  static readonly FASTEST_MS = 200;
  readonly #inspection: ClientInspection;
  readonly #filter: ResourceFilter;
  readonly #page: Page;
  readonly #env: CliEnvironment;
  readonly #screen: Screen;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #size = '';
  #isClosed = false;

  constructor(inspection: ClientInspection, filter: ResourceFilter, page: Page, env: CliEnvironment) {
    this.#inspection = inspection;
    this.#filter = filter;
    this.#page = page;
    this.#env = env;
    this.#screen = new Screen(env);
  }

  /** To be called often: most of the time there is nothing to do. */
  refresh(): void {
    if (!this.#isDue()) return;
    this.#drawnAt = this.#env.clock.now();
    this.#size = this.#sizeNow();
    this.#screen.draw(this.#frame(this.#env.stdout.rows));
  }

  /** The last picture stays behind. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    let lines: string[] = [];
    try {
      lines = this.#frame(this.#env.stdout.rows - LINES_BELOW);
    } finally {
      this.#screen.close();
    }
    this.#env.stdout.write(`${lines.join('\n')}\n`);
  }

  #isDue(): boolean {
    if (this.#sizeNow() !== this.#size) return true;
    const age = this.#env.clock.now() - this.#drawnAt;
    return age >= (this.#inspection.changedAt() >= this.#drawnAt ? LiveTable.FASTEST_MS : SLOWEST_MS);
  }

  #sizeNow(): string {
    return `${this.#env.stdout.columns} × ${this.#env.stdout.rows}`;
  }

  #frame(rows: number): string[] {
    const now = this.#env.clock.now();
    const page = { ...this.#page, ageOf: (time: string) => now - Date.parse(time), width: this.#env.stdout.columns };
    return liveFrame(this.#inspection, this.#filter, page, rows);
  }
}
