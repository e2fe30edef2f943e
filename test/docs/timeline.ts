import type { Event } from '../../src/core/event.js';
import { shortType } from '../../src/proto/resource-types.js';

const COLUMNS = 48;

/** A timeline of events: a row for each resource, one for the configuration in use, one for the tear. */
export function timeline(events: readonly Event[], from: number, to: number): string {
  const picture = new Picture(from, to);
  for (const event of events) picture.draw(event);
  for (const event of events) picture.drawTear(event);
  return picture.text();
}

class Picture {
  readonly #from: number;
  readonly #to: number;
  readonly #rows = new Map<string, string[]>();
  #configs = 0;

  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  draw(event: Event): void {
    if (event.kind === 'resource') {
      this.#begin(`${shortType(event.typeUrl)} ${event.name}`, event.at, event.version, '─');
    } else if (event.kind === 'error') {
      this.#begin(`${shortType(event.typeUrl)} ${event.name}`, event.at, '×', event.effect === 'kept' ? '─' : ' ');
    } else if (event.kind === 'config') {
      this.#begin('in use', event.at, event.change === 'error' ? '×' : letter(this.#configs++), '═');
    } else if (event.kind === 'fallback') this.#begin('server', event.at, event.server, '─');
  }

  drawTear(event: Event): void {
    if (event.kind !== 'tear' || event.change !== 'closed' || event.end === undefined) return;
    if (event.begin < this.#from) return;
    const start = this.#column(event.begin);
    const end = Math.max(start + 1, this.#column(event.end));
    const cells = this.#row(event.tear ?? '');
    cells.splice(start, end - start + 1, '├', ...'╌'.repeat(end - start - 1), '┤');
  }

  text(): string {
    const width = Math.max(...[...this.#rows.keys()].map((name) => name.length));
    const head = `${''.padEnd(width)}  0${`${this.#to - this.#from} ms`.padStart(COLUMNS - 1)}`;
    const lines = [...this.#rows].map(([name, cells]) =>
      `${name.padEnd(width)}  ${cells.join('').slice(0, COLUMNS)}`.trimEnd(),
    );
    return [head, ...lines].join('\n');
  }

  /** Draws a mark, and then this line up to the next mark of the row. */
  #begin(name: string, at: number, mark: string, line: string): void {
    const cells = this.#row(name);
    const start = at < this.#from ? 0 : this.#column(at);
    cells.fill(line, start);
    if (at >= this.#from) cells.splice(start, mark.length, ...mark);
  }

  #row(name: string): string[] {
    const cells = this.#rows.get(name) ?? Array.from({ length: COLUMNS }, () => ' ');
    this.#rows.set(name, cells);
    return cells;
  }

  #column(at: number): number {
    return Math.round(((Math.min(at, this.#to) - this.#from) / (this.#to - this.#from)) * (COLUMNS - 1));
  }
}

/** Names configurations A, B, C … */
function letter(n: number): string {
  return String.fromCharCode(65 + (n % 26));
}
