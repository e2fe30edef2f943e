import type { ConnectivityState } from '../../../src/core/input.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import type { Action, Respond } from './action.js';
import { VARIANTS } from './resource-pool.js';
import { HOSTILE, SCOPES, TARGETS } from './universe.js';

type Make = (dice: Dice, serial: number) => Action;

const ANY = 1_000_000;
const STATES: readonly ConnectivityState[] = ['idle', 'connecting', 'ready', 'ready', 'transient-failure', 'lame'];
const WAITS = [0, 1, 50, 250, 900, 1500, 15_000, 30_000, 60_000, 300_000];
const CODES = [0, 2, 5, 7, 13, 14, 14, 16, 99];
const ADDRESSES = [['10.0.0.1'], ['10.0.0.1', '::1'], [], ['not an address'], undefined];

const anything = (dice: Dice): number => dice.below(ANY);

const ACTIONS: readonly (readonly [weight: number, make: Make])[] = [
  [5, (dice) => ({ do: 'follow', target: dice.below(TARGETS.length) })],
  [1, (dice) => ({ do: 'unfollow', target: dice.below(TARGETS.length) })],
  [1, (dice) => ({ do: 'hold', target: dice.below(TARGETS.length), cluster: anything(dice) })],
  [1, (dice) => ({ do: 'release', target: dice.below(TARGETS.length), cluster: anything(dice) })],
  [4, (dice) => ({ do: 'watch', scope: dice.below(SCOPES.length), type: dice.below(4), name: anything(dice) })],
  [3, (dice) => ({ do: 'unwatch', which: anything(dice) })],
  [16, (dice) => ({ do: 'sent', which: anything(dice) })],
  [12, (dice) => ({ do: 'done', which: anything(dice) })],
  [40, (dice, serial) => response(dice, serial)],
  [1, (dice) => ({ do: 'rubbish', stream: anything(dice), bytes: rubbish(dice) })],
  [3, (dice) => ({ do: 'end', stream: anything(dice), code: dice.pick(CODES), message: text(dice, 'over') })],
  [4, (dice) => ({ do: 'connectivity', channel: anything(dice), state: dice.pick(STATES) })],
  [3, (dice) => ({ do: 'resolved', query: anything(dice), addresses: dice.pick(ADDRESSES) })],
  [6, (dice) => ({ do: 'wait', milliseconds: dice.pick(WAITS), isLate: dice.chance(0.2) })],
];

/** Generates the actions of one case. It starts with a target, since most actions need a stream. */
export function generateActions(dice: Dice, count: number): Action[] {
  const actions: Action[] = [{ do: 'follow', target: dice.below(TARGETS.length) }];
  for (let serial = 1; serial < count; serial++) actions.push(dice.weighted(ACTIONS)(dice, serial));
  return actions;
}

function response(dice: Dice, serial: number): Respond {
  const count = dice.pick([1, 2, 3, 6, 8]);
  const variants = Array.from({ length: count }, () => (dice.chance(0.12) ? undefined : variant(dice)));
  const errors = dice.chance(0.1) ? [{ name: anything(dice), code: dice.pick(CODES) }] : [];
  return {
    do: 'respond',
    stream: anything(dice),
    type: anything(dice),
    isStray: dice.chance(0.06),
    variants,
    errors,
    // Sometimes a control plane repeats a version or a nonce.
    version: dice.chance(0.9) ? `${serial}` : text(dice, '1'),
    nonce: dice.chance(0.95) ? `n${serial}` : text(dice, 'n1'),
  };
}

/** Mostly valid resources. */
function variant(dice: Dice): number {
  const kind = dice.weighted([
    [72, 'good'],
    [10, 'odd'],
    [18, 'mutated'],
  ] as const);
  if (kind === 'good') return dice.below(VARIANTS.good);
  if (kind === 'odd') return VARIANTS.good + dice.below(VARIANTS.odd);
  return VARIANTS.good + VARIANTS.odd + dice.below(VARIANTS.mutated);
}

function text(dice: Dice, usual: string): string {
  return dice.chance(0.7) ? usual : dice.pick(['', HOSTILE, 'y'.repeat(500)]);
}

function rubbish(dice: Dice): number[] {
  return Array.from({ length: dice.below(40) }, () => dice.below(256));
}
