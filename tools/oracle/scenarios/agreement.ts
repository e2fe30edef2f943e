import type { Preset } from '../../../src/bootstrap/preset-names.js';
import type { Command } from '../../peers/peers.js';
import { compareScenario, withBytes } from '../conformance/client/compare.js';
import type { ClientRecording, ClientScenario } from '../conformance/client/recording.js';
import type { Replayed } from '../conformance/client/replay.js';
import { Comparison, sorted } from '../conformance/comparison.js';
import { deepDifference } from '../conformance/deep-difference.js';
import { Backends } from './backends.js';
import type { StartClient } from './oracle-client.js';
import { OwnClient } from './own-client.js';
import { inParallel } from './pool.js';
import { ProgramClient } from './program-client.js';
import { runScenario, type ScenarioResult } from './run-scenario.js';

/** The comparison of both clients in a scenario. */
export interface Agreement {
  scenario: ClientScenario;
  /** The real client now, compared with the recording. */
  peer: Comparison;
  /** This project, compared with the real client now. */
  here: Comparison;
  /** The differences of earlier runs, which were repeated. */
  earlier: string[];
}

/** A program with a real gRPC client, and the preset that predicts it. */
export interface RealClient {
  command: Command;
  preset: Preset;
  /** It may send several changes in one request. */
  mergesRequests: boolean;
  /** The scenarios contain what it did in a recording. */
  isRecorded: boolean;
}

const MAX_TRIES = 3;

/**
 * Runs scenarios with a real client and with this project, over real sockets. On a busy machine a message may arrive too late for
 * a step, so scenarios that differ run again, one at a time.
 */
export async function runWithBoth(
  recording: ClientRecording,
  scenarios: readonly ClientScenario[],
  client: RealClient,
  atOnce: number,
): Promise<Agreement[]> {
  const backends = await Backends.start(recording.backends);
  const results = new Map<string, Agreement>();
  const runOne = async (scenario: ClientScenario): Promise<void> => {
    const before = results.get(scenario.id);
    const earlier = before === undefined ? [] : [...before.earlier, differencesText(before)];
    results.set(scenario.id, { scenario, ...(await compareBoth(scenario, recording, backends, client)), earlier });
  };
  try {
    await inParallel(scenarios, atOnce, runOne);
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      const open = [...results.values()].filter((one) => !isAgreed(one));
      await inParallel(open, 1, ({ scenario }) => runOne(scenario));
    }
  } finally {
    backends.stop();
  }
  return scenarios.flatMap(({ id }) => results.get(id) ?? []);
}

/** `the client now: rpcs "a" (code: recorded "OK", here "UNAVAILABLE")` */
function differencesText({ peer, here }: Agreement): string {
  return Object.entries({ 'the client now': peer, 'xds-inspect': here })
    .flatMap(([who, { differences }]) =>
      differences.map(({ what, expected, actual }) => {
        const [first = ''] = deepDifference(sorted(expected), sorted(actual));
        return `${who}: ${what} (${first})`;
      }),
    )
    .join('; ');
}

function isAgreed({ peer, here }: Agreement): boolean {
  return peer.differences.length === 0 && here.differences.length === 0;
}

async function compareBoth(
  scenario: ClientScenario,
  recording: ClientRecording,
  backends: Backends,
  { command, preset, mergesRequests, isRecorded }: RealClient,
): Promise<{ peer: Comparison; here: Comparison }> {
  const runWith = (startClient: StartClient, merges: boolean): Promise<ScenarioResult> =>
    runScenario(scenario, { recording, backends, startClient, mergesRequests: merges });
  const [byPeer, byUs] = await Promise.all([
    runWith((setup) => ProgramClient.start(command, setup), mergesRequests),
    runWith((setup) => OwnClient.start(preset, setup), true),
  ]);
  const [peer, here] = [new Comparison(), new Comparison()];
  if (isRecorded) compareScenario(scenario, asReplayed(byPeer, recording), recording, peer, preset);
  compareScenario(
    { ...scenario, expected: withoutLibraryMessages(byPeer) },
    asReplayed(withoutLibraryMessages(byUs), recording),
    recording,
    here,
    preset,
  );
  return { peer, here };
}

/**
 * Removes the reasons of failed connections and lookups, which depend on the library (grpc-js here). The failure itself
 * and its effects are still compared.
 */
function withoutLibraryMessages(result: ScenarioResult): ScenarioResult {
  const text = JSON.stringify(result)
    .replace(/(channel in TRANSIENT_FAILURE|xds client has a lame channel)[^"]*?(?=\)?"| \(node ID)/g, 'not connected')
    .replace(/(DNS resolution failed for)[^"]*?(?=\)?"| \(node ID)/g, '$1')
    .replace(/RESOURCE_EXHAUSTED: [^"]*?(?=\)?"| \(node ID)/g, 'RESOURCE_EXHAUSTED')
    // Builds of Go differ in the spaces of printed messages.
    .replace(/[ \u00a0]+/g, ' ');
  return JSON.parse(text) as ScenarioResult;
}

function asReplayed(
  { answers, subscriptions, csds, rpcs, unmet }: ScenarioResult,
  { resources }: ClientRecording,
): Replayed {
  return {
    answers: new Map(answers.map(({ step, answer, version, error }) => [step, { answer, version, error }])),
    subscriptions,
    csds: new Map(csds.map(({ step, clients }) => [step, withBytes(clients, resources)])),
    rpcs: new Map(rpcs.map(({ step, code, message, backend, limit }) => [step, { code, message, backend, limit }])),
    unmet,
  };
}
