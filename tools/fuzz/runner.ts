import { Dice } from '../oracle/mutation/dice.js';
import type { Oracle } from './oracles.js';
import type { CaseResult, Failure, FuzzTarget, SmallestCase } from './target.js';
import { messageOf, oracleOf } from './violation.js';

/** When to stop: after a number of inputs, or when the function returns true. */
interface Budget {
  inputs: number;
  isOver(): boolean;
}

/** A failed oracle with its smallest case, the number of the case that found it, and how many cases failed alike. */
export interface Bug extends SmallestCase {
  oracle: Oracle;
  case: number;
  times: number;
}

export interface TargetReport {
  target: string;
  cases: number;
  inputs: number;
  bugs: Bug[];
}

export interface RunOptions {
  seed: number;
  budget: Budget;
  firstCase?: number;
  /** Called before every case. */
  onCase?: (number: number) => void;
  /** Called with the number of inputs so far, after every case. */
  onProgress?: (inputs: number) => void;
}

/** More kinds of bugs than this in one target stop its run. */
const MAX_BUGS = 10;

/** Runs the cases of a target. The same seed and number give the same case. */
export async function runTarget(target: FuzzTarget, options: RunOptions): Promise<TargetReport> {
  const { seed, budget, firstCase = 0, onCase, onProgress } = options;
  const report: TargetReport = { target: target.name, cases: 0, inputs: 0, bugs: [] };
  const found = new Map<string, Bug>();
  try {
    for (let number = firstCase; report.inputs < budget.inputs && found.size < MAX_BUGS; number++) {
      if (report.cases > 0 && budget.isOver()) break;
      onCase?.(number);
      const { inputs, failure } = await runOne(target, new Dice(caseSeed(seed, number)));
      report.cases++;
      report.inputs += inputs;
      if (failure !== undefined) await add(found, failure, number);
      onProgress?.(report.inputs);
    }
  } finally {
    await target.close?.();
  }
  report.bugs = [...found.values()];
  return report;
}

async function runOne(target: FuzzTarget, dice: Dice): Promise<CaseResult> {
  try {
    const result = target.run(dice);
    return result instanceof Promise ? await result : result;
  } catch (error) {
    return { inputs: 1, failure: { oracle: oracleOf(error), message: messageOf(error) } };
  }
}

/** Cases that fail the same oracle at the same place are one bug. */
async function add(found: Map<string, Bug>, failure: Failure, number: number): Promise<void> {
  const { oracle, message } = failure;
  const place = message
    .split('\n')
    .slice(0, 2)
    .join(' ')
    .replaceAll(/[\d.]+|"[^"]*"/g, '#');
  const key = oracle === 'no-exception' ? place : oracle;
  const known = found.get(key);
  if (known !== undefined) {
    known.times++;
    return;
  }
  const smallest = (await failure.smallest?.()) ?? { message, inputs: 1, reproducers: [] };
  found.set(key, { oracle, ...smallest, case: number, times: 1 });
}

/** Mixes seed and number, so that neighbouring cases have unrelated dice. */
function caseSeed(seed: number, number: number): number {
  return (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
}
