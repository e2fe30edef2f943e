import type { Command } from '../../peers/peers.js';
import { compareScenario, withBytes } from '../conformance/client/compare.js';
import type { ClientRecording, ClientScenario } from '../conformance/client/recording.js';
import type { Replayed } from '../conformance/client/replay.js';
import { Comparison } from '../conformance/comparison.js';
import { Backends } from './backends.js';
import { CCoreClient } from './c-core-client.js';
import type { StartClient } from './oracle-client.js';
import { OwnClient } from './own-client.js';
import { inParallel } from './pool.js';
import { type Played, play } from './run-scenario.js';

/** A scenario played with both clients, and how they compare. */
export interface Agreement {
  scenario: ClientScenario;
  /** C-core now, against C-core when it was recorded. */
  core: Comparison;
  /** This project against C-core now. */
  here: Comparison;
  /** How often it was played. */
  tries: number;
}

const MAX_TRIES = 3;

/**
 * Plays scenarios with C-core and with this project, over real sockets. On a busy machine something may come too late
 * for a step: what differs is played again, alone.
 */
export async function playBoth(
  recording: ClientRecording,
  scenarios: readonly ClientScenario[],
  command: Command,
  atOnce: number,
): Promise<Agreement[]> {
  const backends = await Backends.start(recording.backends);
  const results = new Map<string, Agreement>();
  const playOne = async (scenario: ClientScenario): Promise<void> => {
    const tries = (results.get(scenario.id)?.tries ?? 0) + 1;
    results.set(scenario.id, { scenario, ...(await compared(scenario, recording, backends, command)), tries });
  };
  try {
    await inParallel(scenarios, atOnce, playOne);
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      const open = [...results.values()].filter((one) => !isAgreed(one));
      await inParallel(open, 1, ({ scenario }) => playOne(scenario));
    }
  } finally {
    backends.stop();
  }
  return scenarios.flatMap(({ id }) => results.get(id) ?? []);
}

function isAgreed({ core, here }: Agreement): boolean {
  return core.differences.length === 0 && here.differences.length === 0;
}

async function compared(
  scenario: ClientScenario,
  recording: ClientRecording,
  backends: Backends,
  command: Command,
): Promise<{ core: Comparison; here: Comparison }> {
  const playWith = (startClient: StartClient, mergesRequests: boolean): Promise<Played> =>
    play(scenario, { recording, backends, startClient, mergesRequests });
  const [byCore, byUs] = await Promise.all([
    playWith((setup) => CCoreClient.start(command, setup), false),
    playWith((setup) => OwnClient.start(setup), true),
  ]);
  const [core, here] = [new Comparison(), new Comparison()];
  compareScenario(scenario, asReplayed(byCore, recording), recording, core, 'c-core');
  compareScenario(
    { ...scenario, expected: inCommonWords(byCore) },
    asReplayed(inCommonWords(byUs), recording),
    recording,
    here,
    'c-core',
  );
  return { core, here };
}

/**
 * Why a connection or a lookup failed is told by the library that tried: grpc-js here. That it failed, and what comes of
 * it, is compared.
 */
function inCommonWords(played: Played): Played {
  const text = JSON.stringify(played)
    .replace(/(channel in TRANSIENT_FAILURE|xds client has a lame channel)[^"]*?(?=\)?"| \(node ID)/g, 'not connected')
    .replace(/(DNS resolution failed for)[^"]*?(?=\)?"| \(node ID)/g, '$1')
    .replace(/RESOURCE_EXHAUSTED: [^"]*?(?=\)?"| \(node ID)/g, 'RESOURCE_EXHAUSTED');
  return JSON.parse(text) as Played;
}

function asReplayed({ answers, subscriptions, csds, rpcs, unmet }: Played, { resources }: ClientRecording): Replayed {
  return {
    answers: new Map(answers.map(({ step, answer, version, error }) => [step, { answer, version, error }])),
    subscriptions,
    csds: new Map(csds.map(({ step, clients }) => [step, withBytes(clients, resources)])),
    rpcs: new Map(rpcs.map(({ step, code, message, backend, limit }) => [step, { code, message, backend, limit }])),
    unmet,
  };
}
