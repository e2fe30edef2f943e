import type { CliEnvironment } from './environment.js';
import { Screen } from './screen.js';

/** However little happens, ages go on. */
const SLOWEST_MS = 1000;

/** What is drawn. */
export interface PictureSource {
  /** As much of it as so many rows hold. */
  frame(rows: number): string[];
  changedAt(): number;
  /** What stays behind on the terminal. */
  last(): string;
}

/** A picture on a terminal, drawn anew when something has changed, when the terminal has, and once a second. */
export class LivePicture {
  /** However much happens, no more than five pictures a second. */
  static readonly FASTEST_MS = 200;
  readonly #pictured: PictureSource;
  readonly #env: CliEnvironment;
  readonly #screen: Screen;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #size = '';
  #isClosed = false;

  constructor(pictured: PictureSource, env: CliEnvironment) {
    this.#pictured = pictured;
    this.#env = env;
    this.#screen = new Screen(env);
  }

  /** To be called often: most of the time there is nothing to do. */
  refresh(): void {
    const { columns, rows } = this.#env.stdout;
    const size = `${columns} × ${rows}`;
    const now = this.#env.clock.now();
    const wait = this.#pictured.changedAt() >= this.#drawnAt ? LivePicture.FASTEST_MS : SLOWEST_MS;
    if (size === this.#size && now - this.#drawnAt < wait) return;
    this.redraw();
  }

  /** Draws at once: someone pressed a key and waits for it. */
  redraw(): void {
    if (this.#isClosed) return;
    const { columns, rows } = this.#env.stdout;
    this.#drawnAt = this.#env.clock.now();
    this.#size = `${columns} × ${rows}`;
    this.#screen.draw(this.#pictured.frame(rows));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    let last = '';
    try {
      last = this.#pictured.last();
    } finally {
      this.#screen.close();
    }
    this.#env.stdout.write(last);
  }
}
