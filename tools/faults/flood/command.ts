import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from '../leftovers.ts';

/** Who reads stdout: the measuring program, nobody, or a terminal. */
export type Reader = 'reads' | 'never reads' | 'terminal';

/** `script` of util-linux provides the terminal. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

const CTRL_C = '\x03';

/** `xds-inspect` in its own process. `leftovers` finds it. */
export class Command {
  readonly #child: ChildProcess;
  readonly #isOnTerminal: boolean;
  readonly #ended: Promise<number | string>;
  /** Bytes that were read from stdout. */
  read = 0;
  #stderr = '';

  constructor(root: string, argv: readonly string[], reader: Reader) {
    const program = [process.execPath, join(root, 'bin/xds-inspect.js'), ...argv];
    const env = marked(process.env);
    this.#isOnTerminal = reader === 'terminal';
    this.#child = this.#isOnTerminal
      ? spawn('script', ['-qfec', `stty rows 40 cols 120; exec ${program.map(quoted).join(' ')}`, '/dev/null'], { env })
      : spawn(program[0] as string, program.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = new Promise((resolve) => this.#child.on('exit', (code, signal) => resolve(code ?? `${signal}`)));
    if (reader !== 'never reads') {
      this.#child.stdout?.on('data', (chunk: Buffer) => {
        this.read += chunk.length;
      });
    }
    this.#child.stderr?.on('data', (text) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-5000);
    });
  }

  /** The process that `script` runs has its own ID. */
  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the command was not started');
    return this.#isOnTerminal ? Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) : pid;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The end of stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Waits for a text on stderr, and returns its first group. */
  async printed(pattern: RegExp): Promise<string> {
    for (let found = pattern.exec(this.#stderr); ; found = pattern.exec(this.#stderr)) {
      if (found !== null) return found[1] as string;
      if (this.hasEnded) throw new Error(`the command ended: ${this.#stderr}`);
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  /** Ctrl-C. */
  interrupt(): void {
    if (this.#isOnTerminal) this.#child.stdin?.write(CTRL_C);
    else this.#child.kill('SIGINT');
  }

  /** The exit code or signal. After the limit, the process is killed. */
  async exit(limitMs: number): Promise<number | string> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), limitMs);
    const code = await this.#ended;
    clearTimeout(timer);
    return code;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
