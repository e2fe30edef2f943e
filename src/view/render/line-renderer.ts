import { Chalk, type ChalkInstance } from 'chalk';
import { clockTime } from '../../base/clock-time.js';
import { displayWidth, padTo } from '../../base/display-width.js';
import { timestamp } from '../../proto/timestamp.js';
import type { Line, Tone } from '../event-line.js';

/** Turns lines into text, coloured or not, with the names in one column. */
export class LineRenderer {
  readonly #paint: Record<Tone, (text: string) => string>;
  readonly #dim: (text: string) => string;
  readonly #timeOf: (at: number) => string;
  #width = 0;

  /** Prints the time of day, or complete times in RFC 3339. */
  constructor(color: boolean, hasWholeTimes = false) {
    this.#timeOf = hasWholeTimes ? timestamp : clockTime;
    const chalk: ChalkInstance = new Chalk({ level: color ? 1 : 0 });
    this.#dim = chalk.dim;
    this.#paint = {
      plain: (text) => text,
      out: chalk.cyan,
      in: chalk.blue,
      good: chalk.green,
      bad: chalk.red,
      quiet: chalk.dim,
    };
  }

  render(line: Line): string {
    this.#width = Math.max(this.#width, displayWidth(line.who));
    return `${this.#dim(this.#timeOf(line.at))} ${padTo(line.who, this.#width)}  ${this.#paint[line.tone](line.text)}\n`;
  }
}
