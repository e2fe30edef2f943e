import type { PlaneEvent } from '../../../src/scenario/plane-io.ts';
import { LineProcess } from '../line-process.ts';
import { FIRST_REVISION } from '../model.ts';
import { until } from '../until.ts';

/** An event in the log of a control plane. */
export type PlaneRecord = PlaneEvent | { kind: 'listening'; address: string } | { kind: 'failure'; message: string };

/** More streams than one process serves. */
const STREAMS_PER_PROCESS = 100_000;

export interface PlaneOptions {
  host?: string;
  /** 0 selects a free port. */
  port?: number;
  /** The DNS cluster has a host name. */
  hasDns?: boolean;
  /** A command that runs the process, for example in a network namespace. */
  runner?: readonly string[];
}

/** A control plane in a child process. After a kill, another process can take its place on the same port. */
export class PlaneProcess {
  /** The log of all processes, in order. */
  readonly log: PlaneRecord[] = [];
  readonly #bundle: string;
  readonly #options: PlaneOptions;
  #host: string;
  #process: LineProcess | undefined;
  #port: number;
  #processes = 0;
  #revision = FIRST_REVISION;

  private constructor(bundle: string, options: PlaneOptions) {
    this.#bundle = bundle;
    this.#options = options;
    this.#host = options.host ?? '127.0.0.1';
    this.#port = options.port ?? 0;
  }

  static async start(bundle: string, options: PlaneOptions = {}): Promise<PlaneProcess> {
    const plane = new PlaneProcess(bundle, options);
    await plane.restart();
    return plane;
  }

  get port(): number {
    return this.#port;
  }

  get address(): string {
    return `${this.#host}:${this.#port}`;
  }

  get revision(): number {
    return this.#revision;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Serves a revision, now or after the next start. */
  serve(revision: number): void {
    this.#revision = revision;
    this.#process?.write(String(revision));
  }

  async kill(): Promise<void> {
    const killed = this.#process;
    this.#process = undefined;
    await killed?.kill();
  }

  /** The next process listens on another address. */
  moveTo(host: string): void {
    this.#host = host;
  }

  /** Starts a new process, which serves the current revision. Returns when it accepts connections. */
  async restart(): Promise<void> {
    await this.kill();
    const firstStream = this.#processes++ * STREAMS_PER_PROCESS;
    const from = this.log.length;
    const { hasDns = false, runner = [] } = this.#options;
    const args = [this.#host, this.#port, firstStream, this.#revision, ...(hasDns ? ['dns'] : [])].map(String);
    const command = [...runner, process.execPath, this.#bundle, ...args];
    const started = new LineProcess(command, (line) => this.log.push(JSON.parse(line) as PlaneRecord));
    this.#process = started;
    const listening = (): (PlaneRecord & { kind: 'listening' }) | undefined =>
      this.log.slice(from).find((record) => record.kind === 'listening');
    await started.makes(
      () => listening() !== undefined,
      () => 'the control plane to listen',
    );
    this.#port = Number(/\d+$/.exec(listening()?.address ?? '')?.[0]);
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.signal(signal);
  }

  /** Waits for a new stream. `from` is the length of the log before. */
  async streamAfter(from: number, patienceMs?: number): Promise<void> {
    const isOpened = (record: PlaneRecord): boolean => record.kind === 'stream' && record.change === 'opened';
    await until(
      () => this.log.slice(from).some(isOpened),
      () => 'a stream at the control plane',
      patienceMs,
    );
  }
}
