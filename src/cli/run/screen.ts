import { cut } from '../../render/status.js';
import type { CliEnvironment } from '../environment.js';

/** The other screen of a terminal, as editors use it: what was there before is back at the end. */
const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const ERASE_LINE = '\x1b[K';
const ERASE_BELOW = '\x1b[J';
const AGE_STEP_MS = 1000;

/** A text that is drawn anew when something has changed, and once a second for the ages in it. */
export class Screen {
  readonly #env: CliEnvironment;
  readonly #text: () => string;
  readonly #changedAt: () => number;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(env: CliEnvironment, text: () => string, changedAt: () => number) {
    this.#env = env;
    this.#text = text;
    this.#changedAt = changedAt;
    env.stdout.write(ENTER);
  }

  draw(): void {
    const now = this.#env.clock.now();
    if (this.#changedAt() < this.#drawnAt && now - this.#drawnAt < AGE_STEP_MS) return;
    this.#drawnAt = now;
    const lines = this.#fitting();
    this.#env.stdout.write(`${HOME}${lines.join(`${ERASE_LINE}\r\n`)}${ERASE_LINE}${ERASE_BELOW}`);
  }

  /** As many lines as there are rows, each as long as there are columns. */
  #fitting(): string[] {
    const { rows, columns } = this.#env.stdout;
    const lines = this.#text()
      .trimEnd()
      .split('\n')
      .map((line) => cut(line, columns));
    if (lines.length <= rows) return lines;
    return [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines`];
  }

  /** The last picture stays behind, whole. */
  close(): void {
    this.#env.stdout.write(`${LEAVE}${this.#text()}`);
  }
}
