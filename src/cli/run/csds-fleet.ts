import type { ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { EarlyReport } from '../../inspect/fleet/early-report.js';
import { fleetOf } from '../../inspect/fleet/fleet.js';
import { FleetInspection, type FleetSource } from '../../inspect/fleet/fleet-inspection.js';
import { Rollouts } from '../../inspect/fleet/rollouts.js';
import { shownIn } from '../../inspect/fleet/shown-resource.js';
import { exitCode } from '../../inspect/outcome.js';
import { never, until } from '../../inspect/until.js';
import { type Progress, withProgress } from '../../io/progress.js';
import { failRules } from '../../view/exit-reason.js';
import { FleetChanges } from '../../view/fleet/fleet-changes.js';
import { fleetDocument } from '../../view/fleet/fleet-document.js';
import { fleetOutcome } from '../../view/fleet/fleet-outcome.js';
import { isFormatOf, isForPeople } from '../../view/formats.js';
import type { CsdsInput } from '../commands/csds.js';
import { CSDS_FORMATS } from '../options/csds-formats.js';
import type { Printer } from '../printer.js';
import { type Display, documents, pictures } from './csds-watch.js';
import { filterFor } from './resource-filter.js';
import { FOREVER_MS } from './show.js';

/** Nothing new for this long: those that have responded are printed before the others respond or fail. */
const QUIET_MS = 1000;
/** The fleet is compared at most this often. */
const COMPARE_MS = 500;
/** A version that reaches no further client in this many polls has arrived where it will. */
const POLLS_WITHOUT_NEWS = 3;

type FleetFormat = (typeof CSDS_FORMATS)['fleet'][number];

/** `csds --view fleet`: compares many clients with each other. */
export async function csdsFleet(
  source: FleetSource,
  names: ReadonlyMap<string, string>,
  input: CsdsInput,
  out: Printer,
): Promise<ExitCode> {
  const format = formatOf(input);
  const run = new FleetRun(new FleetInspection(source), names, format, input, out);
  try {
    return input.watch ? await run.follow() : await run.read();
  } finally {
    run.inspection.close();
  }
}

function formatOf({ output, html, expectations, watch }: CsdsInput): FleetFormat {
  const formats: readonly FleetFormat[] = CSDS_FORMATS.fleet;
  const format = output === undefined ? 'table' : formats.find((one) => one === output);
  if (format === undefined) throw new UsageError(`--view fleet takes -o ${formats.join(', ')}, not ${output}`);
  if (html !== undefined) throw new UsageError('--html excludes --view fleet');
  if (expectations !== undefined) throw new UsageError('--expectations requires --view check');
  if (format === 'ndjson' && !watch) throw new UsageError('-o ndjson requires --watch');
  return format;
}

class FleetRun {
  readonly inspection: FleetInspection;
  readonly #names: ReadonlyMap<string, string>;
  readonly #format: FleetFormat;
  readonly #input: CsdsInput;
  readonly #out: Printer;
  readonly #isShown: ReturnType<typeof shownIn>;
  readonly #rollouts: Rollouts | undefined;

  constructor(
    inspection: FleetInspection,
    names: ReadonlyMap<string, string>,
    format: FleetFormat,
    input: CsdsInput,
    out: Printer,
  ) {
    this.inspection = inspection;
    this.#names = names;
    this.#format = format;
    this.#input = input;
    this.#out = out;
    this.#isShown = shownIn(filterFor(input).isShown);
    this.#rollouts = input.watch ? new Rollouts() : undefined;
  }

  /** Reads every process once. Text also appears before the last ones have responded. */
  async read(): Promise<ExitCode> {
    const { env } = this.#out;
    const { timeout, connectTimeout } = this.#input;
    const early = new EarlyReport(Math.min(QUIET_MS, timeout / 4, connectTimeout / 4));
    const isForReaders = isForPeople(this.#format);
    let printed = Promise.resolve();
    this.inspection.onAnswer(() => early.onAnswer(this.inspection.now()));
    let progress: Progress | undefined;
    const ending = await withProgress(
      { ...this.#input, limit: timeout },
      env,
      (line) => {
        progress = line;
        line.showText(this.#progressText());
      },
      ({ tick, onInterrupt }) =>
        until(this.inspection, never, {
          limit: FOREVER_MS,
          ...(onInterrupt && { onInterrupt }),
          tick: {
            everyMs: Math.min(250, QUIET_MS / 4),
            run: () => {
              tick?.run();
              const isAll = this.inspection.answers().length === this.inspection.addresses.length;
              if (!isForReaders || isAll || !early.isDue(this.inspection.now())) return;
              progress?.clear();
              printed = printed.then(() => this.#print());
            },
          },
        }),
    );
    await printed;
    await this.#print();
    return this.#code(ending === 'interrupted');
  }

  /** Polls every process and prints changes. */
  async follow(): Promise<ExitCode> {
    const { env } = this.#out;
    const { interval } = this.#input;
    const display = await this.#display();
    let lookedAt = Number.NEGATIVE_INFINITY;
    let hasNews = false;
    let looking = Promise.resolve();
    this.inspection.onAnswer((answer, before) => {
      hasNews = true;
      this.#rollouts?.onAnswer(answer, before, this.inspection.now());
    });
    const look = (): void => {
      lookedAt = this.inspection.now();
      hasNews = false;
      looking = looking.then(() => display.update());
    };
    const ending = await until(this.inspection, never, {
      limit: this.#input.for ?? FOREVER_MS,
      onInterrupt: env.onInterrupt,
      tick: {
        everyMs: Math.min(COMPARE_MS, interval),
        run: () => {
          if (hasNews && this.inspection.now() - lookedAt >= Math.min(COMPARE_MS, interval)) look();
          display.draw?.();
        },
      },
    });
    look();
    await looking;
    display.close?.();
    return this.#code(ending === 'interrupted');
  }

  async #display(): Promise<Display<void>> {
    const { env } = this.#out;
    const whole = async (): Promise<string> => await this.#out.text('fleet', this.#documentFormat(), this.#document());
    if (isForPeople(this.#format) && env.stdout.isTerminal && env.variables.TERM !== 'dumb')
      return pictures(whole, env);
    if (this.#format !== 'ndjson' && !isForPeople(this.#format)) return documents(whole, this.#format, env);
    const print = await this.#out.stream('fleet-changes', this.#format === 'ndjson' ? 'ndjson' : 'table');
    const changes = new FleetChanges(POLLS_WITHOUT_NEWS * Math.max(this.#input.interval, COMPARE_MS));
    return {
      update: () => {
        const { addresses } = this.inspection;
        const answers = this.inspection.answers();
        const rollouts = this.#rollouts?.list(answers) ?? [];
        const fleet = fleetOf(answers, this.#isShown);
        const now = this.inspection.now();
        const document = fleetDocument(fleet, this.#context(addresses));
        for (const change of changes.since(fleet, document, { answers, rollouts, now })) print({ at: now, change });
      },
    };
  }

  async #print(): Promise<void> {
    await this.#out.print('fleet', this.#documentFormat(), this.#document());
  }

  #documentFormat(): 'table' | 'wide' | 'json' | 'yaml' {
    return isFormatOf('fleet', this.#format) ? this.#format : 'table';
  }

  #document(): ReturnType<typeof fleetDocument> {
    const { inspection } = this;
    return fleetDocument(fleetOf(inspection.answers(), this.#isShown), this.#context(inspection.addresses));
  }

  #context(addresses: readonly string[]): Parameters<typeof fleetDocument>[1] {
    const answers = this.inspection.answers();
    return {
      addresses,
      answered: new Set(answers.map(({ address }) => address)),
      names: this.#names,
      rollouts: this.#rollouts?.list(answers),
    };
  }

  #progressText(): string {
    const { addresses } = this.inspection;
    return `${this.inspection.answers().length} of ${addresses.length} addresses have responded`;
  }

  #code(isInterrupted: boolean): ExitCode {
    const answers = this.inspection.answers();
    const isLost = answers.length < this.inspection.addresses.length || answers.some((one) => one.problems.length > 0);
    const outcome = fleetOutcome(answers, this.#isShown, failRules(this.#input));
    return exitCode({ ...outcome, isInterrupted, isLost });
  }
}
