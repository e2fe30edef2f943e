import type { Paint } from '../../view/render/paint.js';
import { paintFor } from '../../view/render/paint.js';
import { watchFrame } from '../../view/render/watch-frame.js';
import { watchedScope } from '../../view/watch.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import type { Inspection } from './inspection.js';
import type { Listing } from './listing.js';
import { Screen } from './screen.js';
import { ageAt } from './status.js';

/** However much happens, no more than five pictures a second. */
const FASTEST_MS = 200;
/** However little happens, ages go on. */
const SLOWEST_MS = 1000;

/** The table needs room, too. */
const MAX_FINDINGS = 3;
/** For the line that says how it ended, and the prompt. */
const LINES_BELOW = 2;

/** A table on a terminal, drawn anew when something has changed, when the terminal has, and once a second. */
export class LiveTable {
  readonly #inspection: Inspection;
  readonly #listing: Listing;
  readonly #showsTimes: boolean;
  readonly #env: CliEnvironment;
  readonly #paint: Paint;
  readonly #screen: Screen;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #size = '';

  private constructor(inspection: Inspection, listing: Listing, args: Arguments, env: CliEnvironment, paint: Paint) {
    this.#inspection = inspection;
    this.#listing = listing;
    this.#showsTimes = args.timestamp === true;
    this.#env = env;
    this.#paint = paint;
    this.#screen = new Screen(env);
  }

  static async open(
    inspection: Inspection,
    listing: Listing,
    args: Arguments,
    env: CliEnvironment,
  ): Promise<LiveTable> {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
    return new LiveTable(inspection, listing, args, env, paint);
  }

  /** To be called often: most of the time there is nothing to do. */
  refresh(): void {
    if (!this.#isDue()) return;
    this.#drawnAt = this.#env.clock.now();
    this.#size = this.#sizeNow();
    this.#screen.draw(this.#frame(this.#env.stdout.rows));
  }

  /** The last picture stays behind. */
  close(): void {
    let lines: string[] = [];
    try {
      lines = this.#frame(this.#env.stdout.rows - LINES_BELOW);
    } finally {
      this.#screen.close();
    }
    this.#env.stdout.write(`${lines.join('\n')}\n`);
  }

  #isDue(): boolean {
    if (this.#sizeNow() !== this.#size) return true;
    const age = this.#env.clock.now() - this.#drawnAt;
    return age >= (this.#inspection.changedAt() >= this.#drawnAt ? FASTEST_MS : SLOWEST_MS);
  }

  #sizeNow(): string {
    return `${this.#env.stdout.columns} × ${this.#env.stdout.rows}`;
  }

  #frame(rows: number): string[] {
    const options = {
      isWide: false,
      showsTimes: this.#showsTimes,
      ageOf: ageAt(this.#env.clock.now()),
      width: this.#env.stdout.columns,
      continuesErrors: false,
      maxFindings: MAX_FINDINGS,
      nodeId: this.#inspection.bootstrap.node?.id,
    };
    const { isShown, isShownFinding } = this.#listing;
    const findings = this.#inspection.findings().filter(isShownFinding);
    const scopes = this.#inspection.snapshot().map((scope) => watchedScope(scope, isShown, findings));
    return watchFrame(scopes, rows, options, this.#paint);
  }
}
