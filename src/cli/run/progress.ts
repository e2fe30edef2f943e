import { formatMillis } from '../../base/duration.js';
import { shortType } from '../../proto/resource-types.js';
import { visibleShort } from '../../view/visible-text.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import type { Inspection } from './inspection.js';

const ERASE = '\r\x1b[K';
const MAX_NAMES = 3;

/** One line on the terminal that says what is being waited for; nothing where nobody looks. */
export class Progress {
  readonly #env: CliEnvironment;
  readonly #isShown: boolean;
  readonly #endAt: number;
  #last = '';

  constructor(args: Arguments, env: CliEnvironment, limit: number) {
    this.#env = env;
    this.#isShown = env.stderr.isTerminal && args.quiet !== true && args.verbose !== true;
    this.#endAt = env.clock.now() + limit;
  }

  show(inspection: Pick<Inspection, 'snapshot'>): void {
    if (!this.#isShown) return;
    const entries = inspection.snapshot().flatMap((scope) => scope.entries);
    const open = entries.filter(({ status }) => status === 'REQUESTED');
    const names = open.slice(0, MAX_NAMES).map(({ typeUrl, name }) => `${shortType(typeUrl)} ${name}`);
    const more = open.length > MAX_NAMES ? ` and ${open.length - MAX_NAMES} more` : '';
    const what = open.length === 0 ? 'waiting until nothing changes' : `waiting for ${names.join(', ')}${more}`;
    this.say(`${what} · ${entries.length - open.length} of ${entries.length} known`);
  }

  /** Puts the time that is left behind it. */
  say(what: string): void {
    if (!this.#isShown) return;
    const left = formatMillis(Math.max(0, Math.ceil((this.#endAt - this.#env.clock.now()) / 1000) * 1000));
    const line = `${visibleShort(what)} · at most ${left} more`.slice(0, this.#env.stderr.columns - 1);
    if (line !== this.#last) this.#env.stderr.write(`${ERASE}${line}`);
    this.#last = line;
  }

  clear(): void {
    if (this.#last !== '') this.#env.stderr.write(ERASE);
    this.#last = '';
  }
}
