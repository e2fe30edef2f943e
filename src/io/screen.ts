import { displayWidth } from '../base/display-width.js';
import type { CliEnvironment } from './environment.js';

type Terminal = Pick<CliEnvironment, 'stdout' | 'atExit'>;

/** The other screen of a terminal, as editors use it, without a cursor; what is too long for a line is not broken. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
/** Terminals that know these show a picture only when it is whole. */
const BEGIN = '\x1b[?2026h\x1b[H';
const END = '\x1b[?2026l';
const ERASE_LINE = '\x1b[K';
const ERASE_BELOW = '\r\n\x1b[J';

/** A whole terminal to draw on. However the process ends, what was there before is back. */
export class Screen {
  readonly #env: Terminal;
  readonly #forget: () => void;
  #last = '';

  constructor(env: Terminal) {
    this.#env = env;
    this.#forget = env.atExit(() => env.stdout.write(LEAVE));
    env.stdout.write(ENTER);
  }

  /** Draws over what is there rather than erasing it first, which would flicker. */
  draw(lines: readonly string[]): void {
    const { columns, rows } = this.#env.stdout;
    // At the end of a full line the cursor still stands on its last character, which would be erased.
    const whole = lines.map((line) => (displayWidth(line) < columns ? `${line}${ERASE_LINE}` : line));
    const picture = `${whole.join('\r\n')}${lines.length < rows ? ERASE_BELOW : ''}`;
    // A terminal that has another size may have moved everything.
    const key = `${columns} ${rows} ${picture}`;
    if (key === this.#last) return;
    this.#last = key;
    this.#env.stdout.write(`${BEGIN}${picture}${END}`);
  }

  close(): void {
    this.#forget();
    this.#env.stdout.write(LEAVE);
  }
}
