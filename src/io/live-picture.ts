import type { CliEnvironment } from './environment.js';
import { Screen } from './screen.js';

/** Redraws at least this often, because displayed ages change. */
const SLOWEST_MS = 1000;

/** The content of a live picture. */
export interface PictureSource {
  /** Returns the lines that fit in this number of rows. */
  frame(rows: number): string[];
  changedAt(): number;
  /** Returns the text that stays on the terminal. */
  last(): string;
}

/** Redraws a terminal when the content or the size of the terminal changes, and once a second. */
export class LivePicture {
  /** Redraws at most five times a second. */
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

  /** Redraws if necessary. Callers call it often. */
  refresh(): void {
    const { columns, rows } = this.#env.stdout;
    const size = `${columns} × ${rows}`;
    const now = this.#env.clock.now();
    const wait = this.#pictured.changedAt() >= this.#drawnAt ? LivePicture.FASTEST_MS : SLOWEST_MS;
    if (size === this.#size && now - this.#drawnAt < wait) return;
    this.redraw();
  }

  /** Redraws at once, for example after a key press. */
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
