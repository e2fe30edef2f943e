import { createServer } from 'node:net';
import type { Preset } from '../../../../src/bootstrap/preset-names.js';
import type { ExplainView } from '../../../../src/inspect/explain/explanation.js';
import { Dice } from '../../../../tools/oracle/mutation/dice.js';
import type { PeerName } from '../../../../tools/peers/peers.js';
import { runCli } from '../../../support/cli.js';
import type { Outcome } from '../app.js';
import { backend } from '../backend.js';
import { ServedFolder } from '../served-folder.js';
import { Caller, DEADLINE_S } from './caller.js';
import { type Agreement, agreementOf } from './compare.js';
import { Follower } from './follower.js';
import type { Ports } from './random-endpoints.js';
import { type RandomCall, randomCall } from './random-matchers.js';
import { type RandomTarget, randomTargets } from './random-targets.js';
import { randomUpdate } from './random-update.js';

/** Ports on which usually no program listens. */
const DEAD_PORTS = [1, 2, 3, 4, 5, 6];
const BACKENDS = 12;
const ATTEMPTS = 5;
const PAUSE_MS = 1000;

export interface Compared {
  target: RandomTarget;
  call: RandomCall;
  predicted: ExplainView;
  got: Outcome;
  /** Undefined if the outcome depends on the caller, so that there is no prediction. */
  agreement: Agreement | undefined;
}

/** A client whose outcomes are compared with the predictions of a preset. */
export interface OutcomePeer {
  preset: Preset;
  app: PeerName;
  /** It supports xDS-enabled servers. */
  serves: boolean;
}

/**
 * Serves random configurations, makes RPCs with a real client, and compares their outcomes with the prediction. Then changes some
 * resources and compares the targets that the library follows again.
 */
export async function compareBatch(peer: OutcomePeer, seed: number, count: number): Promise<Compared[]> {
  const { preset, app, serves } = peer;
  const dice = new Dice(seed);
  const call = randomCall(dice);
  const ports: Ports = { alive: await startBackends(), dead: DEAD_PORTS };
  const targets = randomTargets(count, ports, await freePorts(serves ? Math.floor(count / 10) : 0), dice);
  const isFollowed = ({ mayBeUnreachable }: RandomTarget): boolean => mayBeUnreachable;
  const served = await ServedFolder.start({ 'all.json': resourcesOf(targets) });
  const caller = await Caller.start(app, served.bootstrap, targets, call);
  const follower = new Follower(preset, served.bootstrap, targets.filter(isFollowed), call, DEAD_PORTS);
  const explained = targets.filter((target) => !isFollowed(target));
  const [views] = await Promise.all([
    explainAll(preset, served.bootstrap, explained, call),
    follower.settled(),
    caller.warmUp(),
  ]);
  const predictions = new Map([...views, ...follower.explain()].map((view) => [serviceOf(view.target), view]));
  const outcomes = await caller.callAll(targets);
  const compared = targets.map((target, i) => comparedWith(target, call, predictions, outcomes[i] as Outcome));
  for (const [i, one] of compared.entries()) {
    // On a busy machine calls may reach their deadline, so they are repeated alone.
    const isBusy = one.agreement === 'none' && one.got.code === 'DEADLINE_EXCEEDED';
    if (isBusy) compared[i] = comparedWith(one.target, call, predictions, await caller.callAgain(one.target));
  }
  const updated = targets.filter(isFollowed).map((target) => randomUpdate(target, ports, dice));
  served.write('all.json', resourcesOf([...explained, ...updated]));
  const changed = await compareUpdated(updated, caller, follower, call);
  caller.stop();
  follower.close();
  await served.stop();
  return [...compared, ...changed];
}

/** Repeats differing calls, since the update may not have arrived yet. */
async function compareUpdated(
  targets: readonly RandomTarget[],
  caller: Caller,
  follower: Follower,
  call: RandomCall,
): Promise<Compared[]> {
  const done: Compared[] = [];
  let open = targets;
  for (let left = ATTEMPTS; open.length > 0 && left > 0; left--) {
    await new Promise((next) => setTimeout(next, PAUSE_MS));
    const outcomes = await caller.callAll(open);
    const predictions = new Map(follower.explain().map((view) => [serviceOf(view.target), view]));
    const compared = open.map((target, i) => comparedWith(target, call, predictions, outcomes[i] as Outcome));
    const isLast = left === 1;
    done.push(...compared.filter((one) => !isDifferent(one) || isLast));
    open = compared.filter(isDifferent).map(({ target }) => target);
  }
  return done;
}

function comparedWith(
  target: RandomTarget,
  call: RandomCall,
  predictions: ReadonlyMap<string, ExplainView>,
  got: Outcome,
): Compared {
  const predicted = predictions.get(serviceOf(target.name));
  if (predicted === undefined) throw new Error(`no prediction for ${target.name}`);
  return { target, call, predicted, got, agreement: agreementOf(predicted, got) };
}

/** Clients spell a target differently. */
function serviceOf(target: string): string {
  return target.replace(/^xds:\/*/, '');
}

function isDifferent({ agreement }: Compared): boolean {
  return agreement === 'none' || agreement === 'code';
}

function resourcesOf(targets: readonly RandomTarget[]): object[] {
  return targets.flatMap(({ resources }) => resources);
}

/** Starts backends that respond with their port. */
async function startBackends(): Promise<number[]> {
  const ports = await freePorts(BACKENDS);
  for (const port of ports) await backend(String(port), port);
  return ports;
}

/** Distinct free ports: all are opened before the first is closed. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      await new Promise((closed) => server.close(closed));
      return typeof address === 'object' && address !== null ? address.port : 0;
    }),
  );
}

async function explainAll(
  preset: Preset,
  bootstrap: string,
  targets: readonly RandomTarget[],
  { method, metadata }: RandomCall,
): Promise<ExplainView[]> {
  const headers = metadata.flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const flags = ['--as', preset, '-o', 'json', '--method', method, ...headers, '--deadline', `${DEADLINE_S}s`];
  const names = targets.map(({ name }) => name);
  const run = await runCli(['explain', ...names, ...flags], { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap });
  if (run.stdout === '') throw new Error(`explain printed nothing: ${run.stderr}`);
  return [JSON.parse(run.stdout)].flat();
}
