import { Chalk, type ChalkInstance } from 'chalk';
import { clockTime } from '../view/clock-time.js';
import type { Line, Tone } from '../view/event-line.js';

/** Turns lines into text, coloured or not; names stand in one column. */
export class LineRenderer {
  readonly #paint: Record<Tone, (text: string) => string>;
  readonly #dim: (text: string) => string;
  #width = 0;

  constructor(color: boolean) {
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
    this.#width = Math.max(this.#width, line.who.length);
    return `${this.#dim(clockTime(line.at))} ${line.who.padEnd(this.#width)}  ${this.#paint[line.tone](line.text)}\n`;
  }
}
