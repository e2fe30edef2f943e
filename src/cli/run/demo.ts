import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { shellCommand } from '../../base/shell-word.js';
import { waitOnClock } from '../../inspect/until.js';
import { embeddedFile } from '../../io/embedded-files.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { DemoPart } from '../../view/documents.js';
import type { RunLine } from '../command.js';
import type { DemoInput } from '../commands/demo.js';
import { DEMO_STEP_NAMES, type DemoStepName } from '../demo-step-names.js';
import { Printer } from '../printer.js';
import { DemoEnvironment, RESOURCE_TIMER_MS } from './demo-environment.js';
import { demoScenario } from './demo-scenario.js';
import { DEMO_STEPS, pathFromCurrentFolder } from './demo-steps.js';

/** Pauses on a terminal, to read the result of the RPC and the output of the command. All steps take less than 40 s. */
const BEFORE_COMMAND_MS = 1200;
const AFTER_VIEW_MS = 3000;

/** `demo`: runs all steps, one step, or a scenario. */
export async function demo(input: DemoInput, env: CliEnvironment, runLine: RunLine): Promise<ExitCode> {
  const { scenario } = input;
  const step = DEMO_STEP_NAMES.find((name) => name === scenario);
  if (scenario !== undefined && step === undefined) return await demoScenario({ ...input, scenario }, env);
  return await new DemoRunner(input, env, runLine).run(step === undefined ? DEMO_STEP_NAMES : [step]);
}

class DemoRunner {
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

  async run(names: readonly DemoStepName[]): Promise<ExitCode> {
    const print = await this.#out.stream('demo', 'text');
    print({ kind: 'opening', count: names.length, timerMs: RESOURCE_TIMER_MS, hasPauses: this.#hasPauses });
    // The application of a step has been running for a while when the step begins. Environments open one after the
    // other, so that they do not compete for free ports.
    let last = Promise.resolve<unknown>(undefined);
    const environments = names.map((name) => {
      const environment = last.then(() => DemoEnvironment.open(name, DEMO_STEPS[name], this.#input, this.#env));
      last = environment;
      return environment;
    });
    const opened = Promise.allSettled(environments);
    let code: ExitCode = EXIT.ok;
    try {
      for (const [i, environment] of environments.entries()) {
        const name = names[i] as DemoStepName;
        const place = names.length === 1 ? undefined : { number: i + 1, of: names.length };
        if (i > 0 && (await this.#pause(AFTER_VIEW_MS))) return EXIT.interrupted;
        const ended = await this.#runStep(name, await environment, place, print);
        if (ended === EXIT.interrupted) return ended;
        if (ended !== DEMO_STEPS[name].exit) {
          this.#out.printLine(`step ${name}: the command exited with ${ended} instead of ${DEMO_STEPS[name].exit}`);
          code = EXIT.findings;
        }
      }
    } finally {
      for (const environment of await opened) if (environment.status === 'fulfilled') environment.value.close();
    }
    print({ kind: 'closing', program: this.#env.program, example: names[1] ?? names[0] ?? '' });
    return code;
  }

  async #runStep(
    name: DemoStepName,
    environment: DemoEnvironment,
    place: { number: number; of: number } | undefined,
    print: (part: DemoPart) => void,
  ): Promise<ExitCode> {
    const { title, text, application, file, argv, exit, conclusion: afterword } = DEMO_STEPS[name];
    print({ kind: 'step', title, text, ...(place && { place }) });
    if (application !== undefined) {
      const { ending, status } = await environment.call(application.method);
      if (ending === 'interrupted') return EXIT.interrupted;
      print({ kind: 'log', method: application.method, status });
    }
    const { packageFiles } = this.#env;
    const here = (word: string): string => (word === file ? pathFromCurrentFolder(packageFiles.pathOf(word)) : word);
    if (file !== undefined) {
      const [path, text] = [here(file), packageFiles.read(file).toString()];
      print({ kind: 'file', path, text, inExecutable: embeddedFile(path) !== undefined });
    }
    const words = [...argv.map(here), ...(this.#input.verbose ? ['-v'] : [])];
    print({ kind: 'command', line: shellCommand([...this.#env.program.split(' '), ...words]) ?? '' });
    if (await this.#pause(BEFORE_COMMAND_MS)) return EXIT.interrupted;
    const code = await this.#runLine(words, environment.env);
    if (afterword !== undefined && code === exit) print({ kind: 'afterword', text: afterword });
    return code;
  }

  get #hasPauses(): boolean {
    return !this.#input.fast && this.#env.stdout.isTerminal;
  }

  /** Pauses until a key is pressed or the time has passed. Returns true if the user interrupted the demo. */
  async #pause(ms: number): Promise<boolean> {
    if (!this.#hasPauses) return false;
    const { clock, onInterrupt, keyboard } = this.#env;
    let isRead = false;
    const ending = await waitOnClock(
      clock,
      (changed) => {
        const close = keyboard?.()?.open(() => {
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
