import { type ChildProcess, spawn } from 'node:child_process';

const PATIENCE_MS = 120_000;

/** A child process that exchanges messages with this one, one at a time. */
export class Child<Answer> {
  readonly #process: ChildProcess;

  constructor(file: string, args: readonly string[]) {
    this.#process = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  next(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const child = this.#process;
      const settle = (): void => {
        clearTimeout(timer);
        child.off('exit', ended).off('message', answered);
      };
      const answered = (message: unknown): void => {
        settle();
        resolve(message as Answer);
      };
      const ended = (code: number | null): void => {
        settle();
        reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}`));
      };
      const timer = setTimeout(() => {
        settle();
        reject(new Error(`${child.spawnargs.join(' ')} does not respond`));
      }, PATIENCE_MS);
      child.on('exit', ended).on('message', answered);
    });
  }

  ask(question: object): Promise<Answer> {
    this.#process.send(question);
    return this.next();
  }

  /** Returns when the process has exited, so that it takes no CPU time from the next one. */
  end(): Promise<void> {
    const child = this.#process;
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }
}
