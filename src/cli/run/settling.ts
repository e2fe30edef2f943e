import { isLost } from '../../engine/lost.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import type { Inspection } from './inspection.js';

/** Nothing has changed for this long: what was wanted is there, or will not come. */
export const QUIET_MS = 200;

/** So that a timeout can still show its reason. */
const GRACE_MS = 10_000;

/** How long to wait: as told, or for the longest resource timer and a little more. */
export function timeLimit(args: Arguments, { longestTimerMs }: Inspection): number {
  return (args.timeout as number | undefined) ?? longestTimerMs + GRACE_MS;
}

export type Ending = 'settled' | 'timed out' | 'interrupted';

/** Waits until every channel has something to go by and nothing changes any more, or all servers have failed. */
export function settled(inspection: Inspection, limit: number, env: CliEnvironment, tick: () => void): Promise<Ending> {
  const isSettled = (): boolean =>
    env.clock.now() - inspection.changedAt() >= QUIET_MS && inspection.snapshot().every(isDone);
  return waitFor(isSettled, limit, env, tick);
}

/** Waits for something to become true, asking a few times a second. */
export async function waitFor(
  isTrue: () => boolean,
  limit: number,
  env: CliEnvironment,
  tick: () => void,
): Promise<Ending> {
  const { clock } = env;
  const endAt = clock.now() + limit;
  let isInterrupted = false;
  const stopListening = env.onInterrupt(() => {
    isInterrupted = true;
  });
  try {
    for (;;) {
      if (isInterrupted) return 'interrupted';
      const now = clock.now();
      if (isTrue()) return 'settled';
      if (now >= endAt) return 'timed out';
      tick();
      await new Promise<void>((wake) => clock.wakeAt(Math.min(now + QUIET_MS / 4, endAt), wake));
    }
  } finally {
    stopListening();
  }
}

/** Nothing is waited for, or nobody is left who could answer. */
export function isDone({ authorities, entries, channels }: ScopeSnapshot): boolean {
  const lost = new Set(authorities.filter(isLost).map(({ name }) => name));
  const isAnswered = entries.every(({ status, authority }) => status !== 'REQUESTED' || lost.has(authority));
  return (
    isAnswered && channels.every(({ state, isWithheld }) => lost.size > 0 || (state.kind !== 'none' && !isWithheld))
  );
}
