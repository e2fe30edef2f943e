import type { Command } from '../../peers/peers.js';
import type { ClientRecording, ClientScenario } from '../conformance/client/recording.js';
import { sorted } from '../conformance/comparison.js';
import { Backends } from '../scenarios/backends.js';
import { CCoreClient } from '../scenarios/c-core-client.js';
import { secondsOf } from '../scenarios/duration.js';
import { inParallel } from '../scenarios/pool.js';
import { type Played, play } from '../scenarios/run-scenario.js';

type Expected = ClientScenario['expected'];

/** Plays each scenario twice: what differs between the two is timing, and is named as varied. */
export async function recordClients(
  recording: ClientRecording,
  command: Command,
  { atOnce, tell }: { atOnce: number; tell: (line: string) => void },
): Promise<ClientRecording> {
  const backends = await Backends.start(recording.backends);
  const results = new Map<string, ClientScenario>();
  const longestFirst = [...recording.scenarios].sort((a, b) => secondsOf(b) - secondsOf(a));
  const playOnce = (scenario: ClientScenario): Promise<Played> =>
    play(scenario, {
      recording,
      backends,
      startClient: (setup) => CCoreClient.start(command, setup),
      mergesRequests: false,
    });
  try {
    await inParallel(longestFirst, atOnce, async (scenario) => {
      const [first, second] = [await playOnce(scenario), await playOnce(scenario)];
      for (const { step, what } of first.unmet) tell(`${scenario.id}: step ${step} was not met: ${what}`);
      results.set(scenario.id, { ...scenario, expected: expectedOf(first), varied: variedIn(first, second) });
    });
  } finally {
    backends.stop();
  }
  return { ...recording, scenarios: recording.scenarios.map(({ id }) => results.get(id) as ClientScenario) };
}

function expectedOf({ unmet: _unmet, ...played }: Played): Expected {
  return { ...played, subscriptions: changesOf(played.subscriptions) };
}

/** The first point, and those at which something is other than before. */
function changesOf(points: Expected['subscriptions']): Expected['subscriptions'] {
  return points.filter(({ streams }, index) => index === 0 || !isSame(streams, points[index - 1]?.streams));
}

function variedIn(first: Played, second: Played): string[] {
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
