import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { formatMillis } from '../../base/duration.js';
import { EXIT } from '../../base/exit-codes.js';
import { Failure } from '../../base/failure.js';
import type { Tunnel } from '../../bootstrap/dial.js';
import { type KubeSettings, type KubeTarget, portForwardWords } from '../../bootstrap/kube-target.js';
import { Backoff } from '../../core/backoff.js';
import type { CliEnvironment } from '../environment.js';
import { NOT_FOUND, spawnGuarded } from './guard.js';
import { lastLines, withAdvice } from './kubectl-text.js';

const KUBECTL = 'kubectl';
const READY = /^Forwarding from 127\.0\.0\.1:(\d+) -> /m;
/** kubectl prints it for every connection. */
const CONNECTION = /^Handling connection for /m;
const MAX_KEPT = 8192;

export interface PortForwardOptions {
  target: KubeTarget;
  settings: KubeSettings;
  /** The name in messages, as the user typed it. */
  name: string;
  /** How long the first start may take. */
  limitMs: number;
  env: Pick<CliEnvironment, 'variables' | 'atExit'>;
  onRemark(sentence: string): void;
}

/** The first start, which somebody waits for. */
interface Opening {
  resolve(): void;
  reject(failure: Failure): void;
  limit: NodeJS.Timeout;
}

/** A `kubectl port-forward` that is started again when it ends, with the same local port. */
export class PortForward implements Tunnel {
  readonly #options: PortForwardOptions;
  readonly #backoff = new Backoff(Math.random);
  #opening: Opening | undefined;
  #child: ChildProcess | undefined;
  #port: number | undefined;
  #isForwarding = false;
  /** Of the current process, since the last connection. */
  #stderr = '';
  /** Why it does not forward. */
  #why = '';
  #waiting: NodeJS.Timeout | undefined;

  private constructor(options: PortForwardOptions) {
    this.#options = options;
  }

  /** Resolves when the local port is open. Throws a Failure if kubectl ends or takes too long. */
  static async open(options: PortForwardOptions): Promise<PortForward> {
    const forward = new PortForward(options);
    options.env.atExit(() => forward.close());
    try {
      await forward.#open();
      return forward;
    } catch (error) {
      forward.close();
      throw error;
    }
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get failure(): string | undefined {
    if (!this.#isForwarding) return this.#why;
    const lines = lastLines(this.#stderr);
    return lines === '' ? undefined : `kubectl port-forward: ${withAdvice(lines)}`;
  }

  close(): void {
    clearTimeout(this.#waiting);
    const child = this.#child;
    this.#child = undefined;
    // The guard ends kubectl when its stdin ends, and at once with this signal.
    child?.stdin?.destroy();
    child?.kill('SIGTERM');
  }

  #open(): Promise<void> {
    const { limitMs } = this.#options;
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        const lines = lastLines(this.#stderr);
        const said = lines === '' ? '' : `: ${withAdvice(lines)}`;
        this.#onEnd(`kubectl port-forward has not opened a port within ${formatMillis(limitMs)}${said}`);
      }, limitMs);
      this.#opening = { resolve, reject, limit };
      this.#start();
    });
  }

  #start(): void {
    const { target, settings, env } = this.#options;
    const child = spawnGuarded(KUBECTL, portForwardWords(target, settings, this.#port), env.variables);
    this.#child = child;
    this.#stderr = '';
    let stdout = '';
    child.stdin?.on('error', () => {});
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-MAX_KEPT);
      // What kubectl has reported is about earlier connections.
      if (CONNECTION.test(text)) this.#stderr = '';
      const port = READY.exec(stdout)?.[1];
      if (this.#child === child && !this.#isForwarding && port !== undefined) this.#onReady(Number(port));
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_KEPT);
    });
    child.on('error', ({ message }) => this.#child === child && this.#onEnd(`kubectl cannot be started: ${message}`));
    // At the time of this event, all of its output has been read.
    child.on('close', (code) => this.#child === child && this.#onEnd(endText(code, this.#stderr)));
    if (this.#opening === undefined) release(child);
  }

  #onReady(port: number): void {
    const { name, onRemark } = this.#options;
    const opening = this.#opening;
    this.#opening = undefined;
    this.#port = port;
    this.#isForwarding = true;
    this.#why = '';
    this.#backoff.reset();
    if (opening === undefined) {
      onRemark(`--kube ${name}: kubectl forwards again`);
      return;
    }
    clearTimeout(opening.limit);
    if (this.#child !== undefined) release(this.#child);
    opening.resolve();
  }

  #onEnd(why: string): void {
    const { name, onRemark } = this.#options;
    const opening = this.#opening;
    this.#opening = undefined;
    this.#isForwarding = false;
    if (opening !== undefined) {
      clearTimeout(opening.limit);
      opening.reject(new Failure(EXIT.unavailable, `--kube ${name}: ${why}`));
      return;
    }
    this.#child = undefined;
    const waitMs = this.#backoff.next();
    if (why !== this.#why) onRemark(`--kube ${name}: ${why}; starting kubectl again in ${formatMillis(waitMs)}`);
    this.#why = why;
    this.#waiting = setTimeout(() => this.#start(), waitMs).unref();
  }
}

/** Only the session keeps this process alive. */
function release(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket | null)?.unref();
}

function endText(code: number | null, stderr: string): string {
  if (code === NOT_FOUND && stderr === '')
    return 'there is no kubectl in PATH: install it, or forward a port yourself and use --server';
  const lines = lastLines(stderr);
  const ended = `kubectl port-forward failed${code === null ? '' : ` (exit code ${code})`}`;
  return lines === '' ? ended : `${ended}: ${withAdvice(lines)}`;
}
