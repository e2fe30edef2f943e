import type { EngineOptions } from '../../../src/engine/engine.js';
import { engineSetup } from '../../../src/engine/recording/engine-setup.js';
import type { RecordingHeader } from '../../../src/engine/recording/header.js';
import { WhatIf } from '../../../src/engine/what-if/what-if.js';
import { require } from '../violation.js';
import type { Action } from './action.js';
import { CheckedSession } from './checked-session.js';
import { Performer } from './perform.js';
import type { TimedInput } from './replay-check.js';
import type { ResourcePool } from './resource-pool.js';
import { checkFromScratch } from './scratch-check.js';
import { checkSubscribed } from './subscription-check.js';
import type { MakeEngine, World } from './world.js';

/** A generated session: the settings of the client, and the actions of the world. */
export interface EngineCase {
  header: RecordingHeader;
  /** Writes complete and watchers finish immediately; otherwise only by actions. */
  sendsAtOnce: boolean;
  finishesAtOnce: boolean;
  actions: readonly Action[];
  /** Checks the cache after this number of steps. */
  checkEvery: number;
  /** Also replays the recording, with and without changes. Takes as long as the session itself. */
  replays: boolean;
}

/** Bounds the requests that follow each other without an input from outside. */
const MAX_DRAIN = 200;

/** Runs a case and checks all oracles. `inputs` receives the session, complete up to an exception. */
export function runCase(
  { header, actions, sendsAtOnce, finishesAtOnce, checkEvery, replays }: EngineCase,
  pool: ResourcePool,
  inputs: TimedInput[] = [],
  makeEngine?: MakeEngine,
): void {
  const session = new CheckedSession(header, inputs, checkEvery, makeEngine);
  const { world } = session;
  const resolutions = new Map<string, readonly string[] | undefined>();
  const performer = new Performer(world, pool);
  for (const action of actions) {
    performer.perform(action, resolutions);
    if (sendsAtOnce) completeWrites(world);
    if (finishesAtOnce) finishReadings(world);
  }
  completeWrites(world);
  finishReadings(world);
  completeWrites(world);
  session.checkAnswered();
  // C-core may omit names in requests to servers of lower priority (R5.9).
  if (header.as === 'spec') checkSubscribed(world);
  checkFromScratch(world, resolutions);
  if (replays) {
    session.checkReplay();
    runWhatIf(header, session.options, inputs);
  }
  closeAll(world);
}

function completeWrites(world: World): void {
  for (let left = MAX_DRAIN; ; left--) {
    const writing = [...world.wires.values()].find(({ isWriting }) => isWriting);
    if (writing === undefined) return;
    require(left > 0, 'work', () => `stream ${writing.id} still writes after ${MAX_DRAIN} requests`);
    world.step({ kind: 'sent', stream: writing.id });
  }
}

function finishReadings(world: World): void {
  for (let next = world.readings.shift(); next !== undefined; next = world.readings.shift()) {
    world.step({ kind: 'done', ...next });
  }
}

/** A what-if client with the other preset: only exceptions and endless work are bugs. */
function runWhatIf(header: RecordingHeader, options: EngineOptions, inputs: readonly TimedInput[]): void {
  const changed = engineSetup(header, { as: header.as === 'spec' ? 'c-core' : 'spec', resourceTimerMs: 5000 });
  if ('failure' in changed) return;
  const ignore = (): void => {};
  const whatIf = new WhatIf(options, changed.options, ignore, ignore);
  for (const { input, at } of inputs) whatIf.input(input, at);
  whatIf.end(inputs.at(-1)?.at ?? header.start);
}

function closeAll(world: World): void {
  for (const { scope, target } of [...world.followed.values()]) world.step({ kind: 'unfollow', scope, target });
  for (const [watcher, { scope }] of [...world.watchers]) world.step({ kind: 'unwatch', scope, watcher });
  const left = [world.wires.size, world.channels.size, world.snapshot().length];
  require(left.every((count) => count === 0), 'all-closed', () => `streams, connections, scopes left: ${left}`);
}
