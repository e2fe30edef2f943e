import { thousands } from '../../base/count-text.js';
import { cutEnd } from '../../base/display-width.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import type { Wait } from '../../inspect/until.js';
import { shortType } from '../../proto/resource-types.js';
import { visible, visibleName } from '../../view/visible-text.js';
import type { CliEnvironment } from '../environment.js';

const ERASE = '\r\x1b[K';
const MAX_NAMES = 3;

/** What decides whether a line may be shown. */
export interface ProgressInput {
  verbose?: boolean;
  quiet?: boolean;
  output?: string | undefined;
}

/** One line on the terminal that says what is being waited for; nothing where nobody looks. */
export class Progress {
  readonly isShown: boolean;
  readonly #env: CliEnvironment;
  readonly #endAt: number;
  #last = '';

  constructor({ verbose, quiet, output }: ProgressInput, env: CliEnvironment, limit: number) {
    this.#env = env;
    // Events that are printed meanwhile, on the same terminal, would end up in the same line.
    const isTalkedOver = verbose === true || (output === 'ndjson' && env.stdout.isTerminal);
    const canErase = env.stderr.isTerminal && env.variables.TERM !== 'dumb';
    this.isShown = canErase && quiet !== true && !isTalkedOver;
    this.#endAt = env.clock.now() + limit;
  }

  /** Which resources are still missing, of how many, and when their timers expire. */
  show(...inspections: ClientInspection[]): void {
    const entries = inspections.flatMap(({ snapshot }) => snapshot().flatMap((scope) => scope.entries));
    const open = entries.filter(({ status }) => status === 'REQUESTED');
    const known = `waiting: ${thousands(entries.length - open.length)} of ${thousands(entries.length)} known`;
    if (open.length === 0) {
      this.say(`${known}, until nothing changes`);
      return;
    }
    const ends = inspections.flatMap(({ nextTimerEnd }) => nextTimerEnd(open) ?? []);
    const timer = ends.length === 0 ? 'not requested yet' : `resource timer ${this.#left(Math.min(...ends))}`;
    const names = open.slice(0, MAX_NAMES).map(({ typeUrl, name }) => `${shortType(typeUrl)} ${visibleName(name)}`);
    const more = open.length > MAX_NAMES ? ` and ${thousands(open.length - MAX_NAMES)} more` : '';
    this.say(`${known}, ${timer}`, `${names.join(', ')}${more}`);
  }

  /** The time that is left stands before what may be long. */
  say(what: string, names = ''): void {
    if (!this.isShown) return;
    const text = `${what} · at most ${this.#left(this.#endAt)}${names === '' ? '' : ` · ${names}`}`;
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

/** Waits with a progress line, if `say` has something to show. */
export async function withProgress<T>(
  input: ProgressInput & { limit: number },
  env: CliEnvironment,
  say: ((line: Progress) => void) | undefined,
  wait: (settings: Omit<Wait, 'limit'>) => Promise<T>,
): Promise<T> {
  const progress = new Progress(input, env, input.limit);
  const tick = say !== undefined && progress.isShown ? { everyMs: 250, run: () => say(progress) } : undefined;
  try {
    return await wait({ onInterrupt: env.onInterrupt, tick });
  } finally {
    progress.clear();
  }
}
