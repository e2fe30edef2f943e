import type { ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { InvalidNames } from '../../engine/get/fetch.js';
import { type GetInspection, hasResponse } from '../../inspect/get.js';
import { requestAll } from '../../inspect/get-all.js';
import type { ClientSetup } from '../../inspect/source.js';
import { until, type WaitOptions } from '../../inspect/until.js';
import { withProgress } from '../../io/progress.js';
import { RESOURCE_TYPES, type ShortType } from '../../proto/resource-types.js';
import type { Printing } from '../../view/get.js';
import { joinResults, type TypeResult } from '../../view/get-all.js';
import { waitingText } from '../../view/get-lines.js';
import type { GetInput } from '../commands/get.js';
import type { Printer } from '../printer.js';
import { clientFor } from './connect.js';
import { openLive, TYPICAL_WAIT_MS } from './get-live.js';
import { printEnd, printingFor, reportOn } from './get-report.js';
import { FOREVER_MS } from './show.js';

/** `get all`: prints the resources of all types that gRPC uses, in one list. */
export async function getAll(input: GetInput, out: Printer): Promise<ExitCode> {
  checkFlags(input);
  const printing = await printingFor('LDS', input, out);
  const client = await clientFor(input, out);
  const requests = new AllRequests(input, printing, client, out);
  const parts = await withProgress(
    { ...input, limit: input.timeout ?? TYPICAL_WAIT_MS },
    out.env,
    (line) => line.showText(requests.waitingText),
    (wait) => {
      const release = wait.onInterrupt?.(() => requests.interrupt());
      return requestAll(
        (type, names) => requests.request(type, names, wait.tick),
        (part) => part?.view.resources.map(({ resource }) => resource) ?? [],
      ).finally(release);
    },
  );
  return await printEnd(joinResults(parts, requests.problems), input, out);
}

/** One subscription per type, some of them concurrent. An interrupt and the time limit end all of them. */
class AllRequests {
  /** Messages about names that cannot be requested. */
  readonly problems: string[] = [];
  readonly #input: GetInput;
  readonly #printing: Printing;
  readonly #client: ClientSetup;
  readonly #out: Printer;
  readonly #endAt: number | undefined;
  readonly #open = new Set<GetInspection>();
  readonly #stops = new Set<() => void>();
  #isInterrupted = false;

  constructor(input: GetInput, printing: Printing, client: ClientSetup, out: Printer) {
    this.#input = input;
    this.#printing = printing;
    this.#client = client;
    this.#out = out;
    this.#endAt = input.timeout === undefined ? undefined : out.env.clock.now() + input.timeout;
  }

  get waitingText(): string {
    return waitingText([...this.#open].map(({ fetch }) => fetch));
  }

  interrupt(): void {
    this.#isInterrupted = true;
    for (const stop of this.#stops) stop();
  }

  /** Returns undefined if the bootstrap lacks the authorities of all names. */
  async request(
    short: ShortType,
    names: readonly string[],
    tick: WaitOptions['tick'],
  ): Promise<TypeResult | undefined> {
    const type = { short, typeUrl: RESOURCE_TYPES[short], remark: undefined };
    const inspection = await this.#subscribe(type.typeUrl, names);
    if (inspection === undefined) return undefined;
    const report = await reportOn(inspection, { ...this.#printing, type }, this.#input, this.#out, true);
    this.#open.add(inspection);
    const ending = await until(inspection, hasResponse(inspection), {
      limit: this.#isInterrupted ? 0 : FOREVER_MS,
      onInterrupt: (stop) => {
        this.#stops.add(stop);
        return () => this.#stops.delete(stop);
      },
      tick,
    });
    this.#open.delete(inspection);
    inspection.close();
    const end = report.end(this.#isInterrupted ? 'interrupted' : ending);
    return { ...end, view: end.document() };
  }

  async #subscribe(typeUrl: string, names: readonly string[]): Promise<GetInspection | undefined> {
    const open = (some: readonly string[]): Promise<GetInspection> =>
      openLive(this.#client, { typeUrl, names: some, timeoutMs: this.#left }, this.#input, this.#out);
    try {
      return await open(names);
    } catch (error) {
      if (!(error instanceof InvalidNames)) throw error;
      this.problems.push(...error.problems.values());
      const others = names.filter((name) => !error.problems.has(name));
      return others.length === 0 ? undefined : await open(others);
    }
  }

  get #left(): number | undefined {
    return this.#endAt === undefined ? undefined : Math.max(0, this.#endAt - this.#out.env.clock.now());
  }
}

/** Rejects flags and arguments that require a single type. */
function checkFlags({ names, watch, record, csdsPort, metricsPort }: GetInput): void {
  if (names.length > 0) throw new UsageError(`names require a single type: get clusters ${names[0]}, for example`);
  const excluded = {
    '--watch': watch,
    '--record': record !== undefined,
    '--csds-port': csdsPort !== undefined,
    '--metrics-port': metricsPort !== undefined,
  };
  const [flag] = Object.entries(excluded).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined) throw new UsageError(`${flag} requires a single type: get clusters ${flag}, for example`);
}
