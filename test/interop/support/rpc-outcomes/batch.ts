import { createServer } from 'node:net';
import { explainView } from '../../../../src/inspect/explain/explain.js';
import type { ExplainView } from '../../../../src/inspect/explain/explanation.js';
import { type Connected, connect } from '../../../../src/io/connect.js';
import type { IpAddress } from '../../../../src/resources/common/ip-address.js';
import { Dice } from '../../../../tools/oracle/mutation/dice.js';
import { runCli } from '../../../support/cli.js';
import type { Outcome } from '../app.js';
import { backend } from '../backend.js';
import { eventually } from '../eventually.js';
import { ServedFolder } from '../served-folder.js';
import { Caller, DEADLINE_S } from './caller.js';
import { agrees } from './compare.js';
import type { Ports } from './random-endpoints.js';
import { type RandomCall, randomCall } from './random-matchers.js';
import { type RandomTarget, randomTargets } from './random-targets.js';

/** Nobody listens on the first ports of a machine. */
const DEAD_PORTS = [1, 2, 3, 4, 5, 6];
const BACKENDS = 12;

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
  const caller = await Caller.start(served.bootstrap, targets, call);
  const [predictions] = await Promise.all([predictAll(served.bootstrap, targets, call), caller.warmUp()]);
  const outcomes = await caller.callAll();
  const compared: Compared[] = [];
  for (const [i, target] of targets.entries()) {
    const predicted = predictions.get(target.name);
    if (predicted === undefined) throw new Error(`explain does not mention ${target.name}`);
    let got = outcomes[i] as Outcome;
    // A machine that is too busy lets calls run into their deadline: alone they do not.
    if (got.code === 'DEADLINE_EXCEEDED' && agrees(predicted, got) === false) got = await caller.callAgain(target);
    compared.push({ target, call, predicted, got, agrees: agrees(predicted, got) });
  }
  caller.stop();
  await served.stop();
  return compared;
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

/** By name: from `explain`, and for endpoints that cannot be reached from the library, which can be told. */
async function predictAll(
  bootstrap: string,
  targets: readonly RandomTarget[],
  call: RandomCall,
): Promise<Map<string, ExplainView>> {
  const unreachable = targets.filter(({ mayBeUnreachable }) => mayBeUnreachable);
  const others = targets.filter(({ mayBeUnreachable }) => !mayBeUnreachable);
  const both = await Promise.all([
    explainAll(bootstrap, others, call),
    explainUnreachable(bootstrap, unreachable, call),
  ]);
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
