import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { shellCommand } from '../../base/shell-word.js';
import { waitOnClock } from '../../inspect/until.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { ActPart } from '../../view/documents.js';
import { ACTS, type ActName } from '../acts.js';
import type { RunLine } from '../command.js';
import type { DemoInput } from '../commands/demo.js';
import { Printer } from '../printer.js';
import { ACT, pathFromHere } from './demo-acts.js';
import { demoScenario } from './demo-scenario.js';
import { RESOURCE_TIMER_MS, Stage } from './demo-stage.js';

/** On a terminal: time to read what the application says, and then the view. The whole story stays below 40 s. */
const BEFORE_COMMAND_MS = 1200;
const AFTER_VIEW_MS = 3000;

/** `demo`: the whole story, one act, or a scenario. */
export async function demo(input: DemoInput, env: CliEnvironment, runLine: RunLine): Promise<ExitCode> {
  const { scenario } = input;
  const act = ACTS.find((name) => name === scenario);
  if (scenario !== undefined && act === undefined) return await demoScenario({ ...input, scenario }, env);
  return await new Story(input, env, runLine).play(act === undefined ? ACTS : [act]);
}

class Story {
  readonly #input: DemoInput;
  readonly #env: CliEnvironment;
  readonly #runLine: RunLine;
  readonly #out: Printer;

  constructor(input: DemoInput, env: CliEnvironment, runLine: RunLine) {
    this.#input = input;
    this.#env = env;
    this.#runLine = runLine;
    this.#out = new Printer({ color: input.color }, env);
  }

  async play(names: readonly ActName[]): Promise<ExitCode> {
    const tell = await this.#out.stream('acts', 'text');
    tell({ kind: 'opening', count: names.length, timerMs: RESOURCE_TIMER_MS, hasPauses: this.#hasPauses });
    // When an act begins, its application has been running for a while. No two stages look for free ports at once.
    let last = Promise.resolve<unknown>(undefined);
    const stages = names.map((name) => {
      const stage = last.then(() => Stage.open(name, ACT[name], this.#input, this.#env));
      last = stage;
      return stage;
    });
    const opened = Promise.allSettled(stages);
    let code: ExitCode = EXIT.ok;
    try {
      for (const [i, stage] of stages.entries()) {
        const name = names[i] as ActName;
        const place = names.length === 1 ? undefined : { number: i + 1, of: names.length };
        if (i > 0 && (await this.#pause(AFTER_VIEW_MS))) return EXIT.interrupted;
        const ended = await this.#playAct(name, await stage, place, tell);
        if (ended === EXIT.interrupted) return ended;
        if (ended !== ACT[name].exit) {
          this.#out.say(`act ${name}: the command exited with ${ended} instead of ${ACT[name].exit}`);
          code = EXIT.findings;
        }
      }
    } finally {
      for (const stage of await opened) if (stage.status === 'fulfilled') stage.value.close();
    }
    tell({ kind: 'closing', program: this.#env.program, example: names[1] ?? names[0] ?? '' });
    return code;
  }

  async #playAct(
    name: ActName,
    stage: Stage,
    place: { number: number; of: number } | undefined,
    tell: (part: ActPart) => void,
  ): Promise<ExitCode> {
    const { title, text, application, file, argv, exit, afterword } = ACT[name];
    tell({ kind: 'act', title, text, ...(place && { place }) });
    if (application !== undefined) {
      const { ending, status } = await stage.call(application.method);
      if (ending === 'interrupted') return EXIT.interrupted;
      tell({ kind: 'log', method: application.method, status });
    }
    const here = (word: string): string => (word === file ? pathFromHere(word, this.#env.packageRoot) : word);
    if (file !== undefined) {
      tell({ kind: 'file', path: here(file), text: readFileSync(join(this.#env.packageRoot, file), 'utf8') });
    }
    const words = [...argv.map(here), ...(this.#input.verbose ? ['-v'] : [])];
    tell({ kind: 'command', line: shellCommand([...this.#env.program.split(' '), ...words]) ?? '' });
    if (await this.#pause(BEFORE_COMMAND_MS)) return EXIT.interrupted;
    const code = await this.#runLine(words, stage.env);
    if (afterword !== undefined && code === exit) tell({ kind: 'afterword', text: afterword });
    return code;
  }

  get #hasPauses(): boolean {
    return !this.#input.fast && this.#env.stdout.isTerminal;
  }

  /** Lets a person read until a key is pressed; true if the user interrupted it. */
  async #pause(ms: number): Promise<boolean> {
    if (!this.#hasPauses) return false;
    const { clock, onInterrupt, keyboard } = this.#env;
    let isRead = false;
    const ending = await waitOnClock(
      clock,
      (changed) => {
        const close = keyboard?.open(() => {
          isRead = true;
          changed();
        });
        return () => close?.();
      },
      () => ({ isMet: isRead }),
      { limit: ms, onInterrupt },
    );
    return ending === 'interrupted';
  }
}
