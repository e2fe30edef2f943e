import type { Dice } from '../../oracle/mutation/dice.js';
import type { Oracle } from '../oracles.js';
import { shrink } from '../shrink.js';
import type { CaseResult, FuzzTarget, SmallestCase } from '../target.js';
import { messageOf, oracleOf } from '../violation.js';
import { simplerActions } from './action.js';
import { generateHeader } from './bootstraps.js';
import { type EngineCase, runCase } from './case.js';
import { generateActions } from './generate-actions.js';
import { recordingText, type TimedInput } from './replay-check.js';
import { ResourcePool } from './resource-pool.js';
import type { MakeEngine } from './world.js';

/** Shared by all cases, because it takes a second to read. */
let pool: ResourcePool | undefined;

/** Sessions of the protocol engine, in virtual time. */
export function engineTarget(makeEngine?: MakeEngine): FuzzTarget {
  return {
    name: 'engine',
    description: 'sessions: bootstraps, targets, streams, responses, timers, DNS, what-if',
    share: 5,
    run: (dice) => {
      pool ??= new ResourcePool();
      return run(generateCase(dice), pool, makeEngine);
    },
  };
}

function generateCase(dice: Dice): EngineCase {
  return {
    header: generateHeader(dice),
    sendsAtOnce: dice.chance(0.5),
    finishesAtOnce: dice.chance(0.8),
    checkEvery: dice.chance(0.1) ? 1 : 8,
    replays: dice.chance(0.1),
    actions: generateActions(dice, dice.pick([10, 40, 120, 400])),
  };
}

/** Generates a session and returns its recording. */
export function generateRecording(dice: Dice): string {
  pool ??= new ResourcePool();
  const one = { ...generateCase(dice), replays: false };
  const inputs: TimedInput[] = [];
  try {
    runCase(one, pool, inputs);
  } catch {
    // A bug of the engine is found by its own target. The recording ends there.
  }
  return recordingText(one.header, inputs);
}

function run(one: EngineCase, pool: ResourcePool, makeEngine: MakeEngine | undefined): CaseResult {
  const inputs: TimedInput[] = [];
  try {
    runCase(one, pool, inputs, makeEngine);
    return { inputs: inputs.length };
  } catch (error) {
    const oracle = oracleOf(error);
    const smallest = (): Promise<SmallestCase> => smallestCase(one, oracle, pool, makeEngine);
    return { inputs: inputs.length, failure: { oracle, message: messageOf(error), smallest } };
  }
}

/** Shrinks the case as long as the same oracle fails. */
async function smallestCase(
  one: EngineCase,
  oracle: Oracle,
  pool: ResourcePool,
  makeEngine: MakeEngine | undefined,
): Promise<SmallestCase> {
  let inputs: TimedInput[] = [];
  let message = '';
  const fails = (actions: EngineCase['actions']): boolean => {
    const session: TimedInput[] = [];
    try {
      runCase({ ...one, actions }, pool, session, makeEngine);
      return false;
    } catch (error) {
      if (oracleOf(error) !== oracle) return false;
      inputs = session;
      message = messageOf(error);
      return true;
    }
  };
  const actions = await shrink(one.actions, fails, simplerActions);
  fails(actions);
  const { header } = one;
  return {
    message,
    inputs: inputs.length,
    reproducers: [
      { extension: '.xdsrec', contents: recordingText(header, inputs) },
      { extension: '.json', contents: JSON.stringify({ ...one, actions }, null, 1) },
    ],
  };
}
