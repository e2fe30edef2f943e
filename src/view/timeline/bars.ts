import type { Mark, MarkKind, Span, SpanState } from './track.js';

/** The contents of a row of the timeline. */
export interface Bars {
  spans: Span[];
  marks: Mark[];
}

/** Collects the bars of a row. Equal bars in sequence become one. */
export class BarsBuilder {
  readonly #spans: Span[] = [];
  readonly #marks: Mark[] = [];
  #open: Span | undefined;

  begin(at: number, state: SpanState, text: string): void {
    if (this.#open?.state === state && this.#open.text === text) return;
    this.gap(at);
    this.#open = { from: at, to: at, isOpen: true, state, text };
    this.#spans.push(this.#open);
  }

  /** Ends the current bar. */
  gap(at: number): void {
    if (this.#open === undefined) return;
    this.#open.to = at;
    this.#open.isOpen = false;
    // Of several changes at the same time, only the last one can be seen.
    if (this.#open.from === at) this.#spans.pop();
    this.#open = undefined;
  }

  mark(at: number, kind: MarkKind, text: string): void {
    this.#marks.push({ at, kind, text });
  }

  finish(end: number): Bars {
    if (this.#open !== undefined) this.#open.to = Math.max(end, this.#open.from);
    return { spans: this.#spans, marks: this.#marks };
  }
}
