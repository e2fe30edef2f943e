import type { Command } from '../../peers/peers.js';
import type { ClientRecording, ClientScenario } from '../conformance/client/recording.js';
import { sorted } from '../conformance/comparison.js';
import { Backends } from '../scenarios/backends.js';
import { CCoreClient } from '../scenarios/c-core-client.js';
import { secondsOf } from '../scenarios/duration.js';
import { inParallel } from '../scenarios/pool.js';
import { runScenario, type ScenarioResult } from '../scenarios/run-scenario.js';

type Expected = ClientScenario['expected'];

/** Runs each scenario twice: differences between the runs come from timing, and are recorded as varied. */
export async function recordClients(
  recording: ClientRecording,
  command: Command,
  { atOnce, print }: { atOnce: number; print: (line: string) => void },
): Promise<ClientRecording> {
  const backends = await Backends.start(recording.backends);
  const results = new Map<string, ClientScenario>();
  const longestFirst = [...recording.scenarios].sort((a, b) => secondsOf(b) - secondsOf(a));
  const runOnce = (scenario: ClientScenario): Promise<ScenarioResult> =>
    runScenario(scenario, {
      recording,
      backends,
      startClient: (setup) => CCoreClient.start(command, setup),
      mergesRequests: false,
    });
  try {
    await inParallel(longestFirst, atOnce, async (scenario) => {
      const [first, second] = [await runOnce(scenario), await runOnce(scenario)];
      for (const { step, what } of first.unmet) print(`${scenario.id}: step ${step} was not met: ${what}`);
      results.set(scenario.id, { ...scenario, expected: expectedOf(first), varied: variedIn(first, second) });
    });
  } finally {
    backends.stop();
  }
  return { ...recording, scenarios: recording.scenarios.map(({ id }) => results.get(id) as ClientScenario) };
}

function expectedOf({ unmet: _unmet, ...result }: ScenarioResult): Expected {
  return { ...result, subscriptions: changesOf(result.subscriptions) };
}

/** The first point, and those at which the subscriptions changed. */
function changesOf(points: Expected['subscriptions']): Expected['subscriptions'] {
  return points.filter(({ streams }, index) => index === 0 || !isSame(streams, points[index - 1]?.streams));
}

function variedIn(first: ScenarioResult, second: ScenarioResult): string[] {
  const [a, b] = [expectedOf(first), expectedOf(second)];
  const parts = (['answers', 'subscriptions'] as const).filter((part) => !isSame(a[part], b[part]));
  const dumps = a.csds.filter(({ clients }, index) => !isSame(clients, b.csds[index]?.clients));
  const rpcs = a.rpcs.filter(({ seconds: _took, ...end }, index) => {
    const { seconds: _other, ...other } = b.rpcs[index] ?? {};
    return !isSame(end, other);
  });
  return [...parts, ...dumps.map(({ label }) => `csds:${label}`), ...rpcs.map(({ label }) => `rpcs:${label}`)];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}
