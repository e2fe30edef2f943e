import { readConditions } from '../../inspect/wait/read-condition.js';
import { type ConditionView, Waiting } from '../../inspect/wait/waiting.js';
import { paintFor } from '../../view/render/paint.js';
import { type WaitOutcome, waitText } from '../../view/render/wait.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { type Inspection, inspect } from './inspection.js';
import { reporting, tellUnanswered } from './no-answer.js';
import { Progress } from './progress.js';
import { type Ending, timeLimit, waitFor } from './settling.js';

const EXIT_CODES: Record<WaitOutcome, ExitCode> = {
  met: EXIT.ok,
  'timed-out': EXIT.timedOut,
  unreachable: EXIT.unavailable,
  interrupted: EXIT.interrupted,
};

/** `wait`: ends when all conditions hold at one moment. Servers that cannot be reached are tried until the time is over. */
export async function wait(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const read = readConditions(args.until as string[]);
  if (!read.ok) throw new Failure(EXIT.usage, read.problems.map((problem) => `--until ${problem}`).join('\n'));
  const began = env.clock.now();
  let started: Waiting | undefined;
  const look = ({ snapshot, bootstrap }: Inspection): Waiting => {
    started ??= new Waiting(read.conditions, bootstrap.node?.id, env.clock.now());
    started.look(snapshot(), env.clock.now());
    return started;
  };
  const inspection = await inspect(args, env, (event) => started?.observe(event), look);
  const waiting = look(inspection);
  const limit = timeLimit(args, inspection);
  const progress = new Progress(args, env, limit);
  const end = await waitFor(
    () => look(inspection).isMet,
    limit,
    env,
    () => progress.say(awaited(waiting, read.conditions.length)),
  );
  progress.clear();
  const snapshot = inspection.snapshot();
  inspection.close();
  const outcome = outcomeOf(end, waiting);
  const waited = env.clock.now() - began;
  const told = reporting(snapshot, args.output, env);
  await print(waiting.view(), outcome, waited, args, told);
  // The report has it as a hint.
  if (outcome !== 'met' && told.stdout !== env.stderr) tellUnanswered(snapshot, waited, env);
  return EXIT_CODES[outcome];
}

function awaited({ missing }: Waiting, of: number): string {
  return `waiting for ${missing.join(', ')} · ${of - missing.length} of ${of} hold`;
}

function outcomeOf(end: Ending, { isLost }: Waiting): WaitOutcome {
  if (end === 'settled') return 'met';
  if (end === 'interrupted') return 'interrupted';
  return isLost ? 'unreachable' : 'timed-out';
}

async function print(
  conditions: readonly ConditionView[],
  outcome: WaitOutcome,
  waitedMs: number,
  args: Arguments,
  env: CliEnvironment,
): Promise<void> {
  const document = { schema: 'xds-inspect/wait/v1', as: args.as, outcome, waitedMs, conditions };
  if (args.output === 'json') env.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  else if (args.output === 'yaml') env.stdout.write((await import('../../view/render/yaml.js')).yamlText(document));
  else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
    env.stdout.write(waitText(conditions, outcome, waitedMs, paint));
  }
}
