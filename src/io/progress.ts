import { cutEnd } from '../base/display-width.js';
import type { WaitOptions } from '../inspect/until.js';
import { visible } from '../view/visible-text.js';
import type { CliEnvironment } from './environment.js';

const ERASE = '\r\x1b[K';

/** The flags that decide whether to show progress. */
export interface ProgressInput {
  verbose?: boolean;
  quiet?: boolean;
  output?: string | undefined;
}

/** A line on the terminal that shows what the command waits for. Not shown if stderr is not a terminal. */
export class Progress {
  readonly isShown: boolean;
  readonly #env: CliEnvironment;
  readonly #endAt: number;
  #last = '';

  constructor({ verbose, quiet, output }: ProgressInput, env: CliEnvironment, limit: number) {
    this.#env = env;
    // Events that are printed on the same terminal would appear in the progress line.
    const isMixedWithEvents = verbose === true || (output === 'ndjson' && env.stdout.isTerminal);
    const canErase = env.stderr.isTerminal && env.variables.TERM !== 'dumb';
    this.isShown = canErase && quiet !== true && !isMixedWithEvents;
    this.#endAt = env.clock.now() + limit;
  }

  /** Shows what the command waits for. `leftUntil` returns the time left until a time or the end of the wait. */
  show(
    textOf: (leftUntil: (end: number) => string) => {
      what: string;
      names?: string;
      hasTimeLeft?: true;
      counts?: string;
    },
  ): void {
    const { what, names, hasTimeLeft, counts } = textOf((end) => this.#left(Math.min(end, this.#endAt)));
    if (counts !== undefined) this.#env.onProgress?.(counts);
    if (hasTimeLeft === true) this.#write(what);
    else this.showText(what, names);
  }

  /** Shows a text with the time left. Names come last, because they may be cut. */
  showText(what: string, names = ''): void {
    this.#write(`${what} · at most ${this.#left(this.#endAt)}${names === '' ? '' : ` · ${names}`}`);
  }

  #write(text: string): void {
    if (!this.isShown) return;
    const line = cutEnd(visible(text), this.#env.stderr.columns - 1);
    if (line !== this.#last) this.#env.stderr.write(`${ERASE}${line}`);
    this.#last = line;
  }

  #left(end: number): string {
    const seconds = Math.max(0, Math.ceil((end - this.#env.clock.now()) / 1000));
    return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} m`;
  }

  clear(): void {
    if (this.#last !== '') this.#env.stderr.write(ERASE);
    this.#last = '';
  }
}

/** Waits with a progress line, if `update` is given. */
export async function withProgress<T>(
  input: ProgressInput & { limit: number },
  env: CliEnvironment,
  update: ((line: Progress) => void) | undefined,
  wait: (settings: Omit<WaitOptions, 'limit'>) => Promise<T>,
): Promise<T> {
  const progress = new Progress(input, env, input.limit);
  const tick =
    update !== undefined && (progress.isShown || env.onProgress !== undefined)
      ? { everyMs: 250, run: () => update(progress) }
      : undefined;
  try {
    return await wait({ onInterrupt: env.onInterrupt, tick });
  } finally {
    progress.clear();
  }
}
