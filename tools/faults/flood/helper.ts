import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { marked } from '../leftovers.ts';

/** A bundled program (programs.ts) in its own process. It answers one message at a time. `leftovers` finds it. */
export class Helper {
  readonly #child: ChildProcess;

  constructor(bundle: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [bundle, ...args], {
      env: marked(process.env),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  async next(): Promise<unknown> {
    const stop = new AbortController();
    const { signal } = stop;
    try {
      const [answer] = await Promise.race([
        once(this.#child, 'message', { signal }),
        once(this.#child, 'exit', { signal }).then(([code]) => {
          throw new Error(`${this.#child.spawnargs.join(' ')} ended with ${code}`);
        }),
      ]);
      return answer;
    } finally {
      stop.abort();
    }
  }

  ask(question: string): Promise<unknown> {
    if (this.#child.exitCode !== null) throw new Error(`${this.#child.spawnargs.join(' ')} has ended`);
    const answer = this.next();
    this.#child.send(question);
    return answer;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const hasEnded = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await hasEnded;
  }
}
