import { createServer } from 'node:net';
import { explainView } from '../../../../src/inspect/explain/explain.js';
import type { ExplainView } from '../../../../src/inspect/explain/explanation.js';
import { type Connected, connect } from '../../../../src/io/connect.js';
import type { IpAddress } from '../../../../src/resources/common/ip-address.js';
import { Dice } from '../../../../tools/oracle/mutation/dice.js';
import { runCli } from '../../../support/cli.js';
import { App, type Outcome } from '../app.js';
import { backend } from '../backend.js';
import { eventually } from '../eventually.js';
import { ServedFolder } from '../served-folder.js';
import { agrees } from './compare.js';
import type { Ports } from './random-endpoints.js';
import { type RandomCall, randomCall } from './random-matchers.js';
import { type RandomTarget, randomTargets } from './random-targets.js';

/** Nobody listens on the first ports of a machine. */
const DEAD_PORTS = [1, 2, 3, 4, 5, 6];
const BACKENDS = 12;
const DEADLINE_S = 3;
/** Longer than a resource timer. */
const WARM_UP_S = 25;

export interface Compared {
  target: RandomTarget;
  call: RandomCall;
  predicted: ExplainView;
  got: Outcome;
  /** Undefined where nothing is predicted: it depends on the caller. */
  agrees: boolean | undefined;
}

/** Serves random configurations, asks `explain --as c-core` about all of them, and lets C-core call them. */
export async function compareBatch(seed: number, count: number): Promise<Compared[]> {
  const dice = new Dice(seed);
  const call = randomCall(dice);
  const ports: Ports = { alive: await startBackends(), dead: DEAD_PORTS };
  const targets = randomTargets(count, ports, await freePorts(Math.floor(count / 10)), dice);
  const served = await ServedFolder.start({ 'all.json': targets.flatMap(({ resources }) => resources) });
  const [outcomes, predictions] = await Promise.all([
    callAll(served.bootstrap, targets, call),
    predictAll(served.bootstrap, targets, call),
  ]);
  await served.stop();
  return targets.map((target, i) => {
    const predicted = predictions.get(target.name);
    const got = outcomes[i];
    if (predicted === undefined || got === undefined) throw new Error(`nothing is known of ${target.name}`);
    return { target, call, predicted, got, agrees: agrees(predicted, got) };
  });
}

/** Each answers with its port. */
async function startBackends(): Promise<number[]> {
  const ports = await freePorts(BACKENDS);
  for (const port of ports) await backend(String(port), port);
  return ports;
}

/** All different: they are taken together and released together. */
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

/** The first call of a channel waits for its configuration. The second one, which counts, finds it ready. */
async function callAll(bootstrap: string, targets: readonly RandomTarget[], call: RandomCall): Promise<Outcome[]> {
  const app = await App.start('c-core-app', { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap });
  for (const { kind, dials } of targets) if (kind === 'server') await app.serve(Number(dials.split(':').at(-1)));
  const calls = (timeout: number, waits: boolean) =>
    targets.map(({ dials: target, kind }) => ({ ...call, target, timeout, waitForReady: waits && kind === 'server' }));
  await app.calls(calls(WARM_UP_S, true));
  const outcomes = await app.calls(calls(DEADLINE_S, true));
  app.kill();
  return outcomes;
}

/** By name: from `explain`, and for endpoints that cannot be reached from the library, which can be told. */
async function predictAll(
  bootstrap: string,
  targets: readonly RandomTarget[],
  call: RandomCall,
): Promise<Map<string, ExplainView>> {
  const unreachable = targets.filter(({ mayBeUnreachable }) => mayBeUnreachable);
  const others = targets.filter(({ mayBeUnreachable }) => !mayBeUnreachable);
  const both = await Promise.all([explainAll(bootstrap, others, call), explainUnreachable(bootstrap, unreachable, call)]);
  return new Map(both.flat().map((view) => [view.target, view]));
}

async function explainAll(
  bootstrap: string,
  targets: readonly RandomTarget[],
  { method, metadata }: RandomCall,
): Promise<ExplainView[]> {
  const headers = metadata.flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const flags = ['--as', 'c-core', '-o', 'json', '--method', method, ...headers, '--deadline', `${DEADLINE_S}s`];
  const names = targets.map(({ name }) => name);
  const run = await runCli(['explain', ...names, ...flags], { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap });
  if (run.stdout === '') throw new Error(`explain says nothing: ${run.stderr}`);
  return [JSON.parse(run.stdout)].flat();
}

async function explainUnreachable(
  bootstrap: string,
  targets: readonly RandomTarget[],
  { method, metadata }: RandomCall,
): Promise<ExplainView[]> {
  const client = connect(bootstrap, { as: 'c-core', variables: {} });
  for (const { name } of targets) client.follow(name);
  const channels = await eventually(
    () => channelsOf(client),
    (all) => all.every(({ channel }) => channel.state.kind !== 'none'),
    'all targets are resolved',
  );
  const isReachable = ({ port }: IpAddress): boolean => !DEAD_PORTS.includes(port);
  const views = channels.map(({ scope, channel }) =>
    explainView(scope, channel, {
      call: { path: method, metadata },
      deadlineMs: DEADLINE_S * 1000,
      rules: 'today',
      nodeId: JSON.parse(bootstrap).node?.id,
      random: () => 0,
      isReachable,
    }),
  );
  client.close();
  return views;
}

function channelsOf(client: Connected) {
  return client.snapshot().flatMap((scope) => scope.channels.map((channel) => ({ scope, channel })));
}
