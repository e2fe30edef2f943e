import { displayWidth } from '../base/display-width.js';
import type { CliEnvironment } from './environment.js';

type Terminal = Pick<CliEnvironment, 'stdout' | 'atExit' | 'onSuspend'>;

/** Enters and leaves the alternate screen of a terminal, without cursor and line wrapping. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
/** Synchronized update: terminals that support it show only complete frames. */
const BEGIN = '\x1b[?2026h\x1b[H';
const END = '\x1b[?2026l';
const ERASE_LINE = '\x1b[K';
const ERASE_BELOW = '\r\n\x1b[J';

/** Draws on the alternate screen. The original screen is restored however the process ends. */
export class Screen {
  readonly #env: Terminal;
  readonly #forget: () => void;
  readonly #stay: (() => void) | undefined;
  #last = '';
  #picture = '';
  #isLeft = false;

  constructor(env: Terminal) {
    this.#env = env;
    this.#forget = env.atExit(() => this.#leave());
    this.#stay = env.onSuspend?.({ leave: () => this.#leave(), resume: () => this.#resume() });
    env.stdout.write(ENTER);
  }

  #leave(): void {
    if (!this.#isLeft) this.#env.stdout.write(LEAVE);
    this.#isLeft = true;
  }

  /** The shell may have written on the terminal, even if the process was stopped without notice. */
  #resume(): void {
    this.#env.stdout.write(`${this.#isLeft ? ENTER : ''}${BEGIN}${this.#picture}${END}`);
    this.#isLeft = false;
  }

  /** Overwrites the previous frame. Erasing it first would flicker. */
  draw(lines: readonly string[]): void {
    const { columns, rows } = this.#env.stdout;
    // After a line of full width the cursor is still on its last character, which would be erased.
    const whole = lines.map((line) => (displayWidth(line) < columns ? `${line}${ERASE_LINE}` : line));
    const picture = `${whole.join('\r\n')}${lines.length < rows ? ERASE_BELOW : ''}`;
    // A resized terminal may have moved the content, so the size is part of the key.
    const key = `${columns} ${rows} ${picture}`;
    if (key === this.#last || this.#isLeft) return;
    this.#last = key;
    this.#picture = picture;
    this.#env.stdout.write(`${BEGIN}${picture}${END}`);
  }

  close(): void {
    this.#forget();
    this.#stay?.();
    this.#leave();
  }
}
