import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Command } from './peers.js';

const PATIENCE_MS = 60_000;

/**
 * A peer process that exchanges lines of JSON: it prints a greeting when it is ready, and then one line for each line that
 * it receives.
 */
export class PeerProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #name: string;
  #waiting: ((line: string | undefined) => void) | undefined;
  #stderr = '';

  private constructor([file, ...args]: Command, env: Record<string, string | undefined>) {
    this.#name = [file, ...args].join(' ');
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    this.#child.stderr?.on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-20_000);
    });
    this.#child.on('error', (error) => {
      this.#stderr += error.message;
    });
    this.#child.stdin?.on('error', () => {});
    const reader = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream });
    reader.on('line', (line) => this.#receive(line));
    reader.on('close', () => this.#waiting?.(undefined));
  }

  static async start<Greeting>(
    [file, ...args]: Command,
    env: Record<string, string | undefined> = {},
  ): Promise<{ peer: PeerProcess; greeting: Greeting }> {
    const peer = new PeerProcess([file, ...args], env);
    try {
      return { peer, greeting: (await peer.#next()) as Greeting };
    } catch (error) {
      peer.kill();
      throw error;
    }
  }

  /** The end of its standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async ask<Reply = object>(command: object): Promise<Reply> {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
    return (await this.#next()) as Reply;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  #receive(line: string): void {
    if (this.#waiting === undefined) this.#lines.push(line);
    else this.#waiting(line);
  }

  async #next(): Promise<unknown> {
    const line = this.#lines.shift() ?? (await this.#line());
    if (line === undefined) throw new Error(`${this.#name} printed nothing; its standard error:\n${this.#stderr}`);
    return JSON.parse(line);
  }

  #line(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const settle = (line: string | undefined): void => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(line);
      };
      const timer = setTimeout(settle, PATIENCE_MS, undefined);
      this.#waiting = settle;
      if (this.#child.exitCode !== null) settle(undefined);
    });
  }
}
