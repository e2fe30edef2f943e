import type { Command } from '../../peers/peers.js';
import type { ClientRecording, ClientScenario } from '../conformance/client/recording.js';
import { sorted } from '../conformance/comparison.js';
import { Backends } from '../scenarios/backends.js';
import { secondsOf } from '../scenarios/duration.js';
import { inParallel } from '../scenarios/pool.js';
import { ProgramClient } from '../scenarios/program-client.js';
import { runScenario, type ScenarioResult } from '../scenarios/run-scenario.js';
import type { OracleRecipe } from './programs.js';

/** What a recording with the same inputs as another one contains of a scenario. */
export function behaviourOnly(recorded: ClientRecording, inputs: ClientRecording, path: string): object {
  const before = new Map(inputs.scenarios.map((one) => [one.id, one]));
  const scenarios = recorded.scenarios.map(({ id, bootstrap, expected, varied }) => ({
    id,
    ...(!isSame(bootstrap, before.get(id)?.bootstrap) && { bootstrap }),
    expected,
    ...(varied !== undefined && varied.length > 0 && { varied }),
  }));
  return { inputs: path, scenarios };
}

type Expected = ClientScenario['expected'];

interface ClientOptions {
  command: Command;
  recipe: OracleRecipe;
  atOnce: number;
  print: (line: string) => void;
}

/** grpc-go 1.85.0 has a race in which it dereferences a nil pointer. */
const MAX_CRASHES = 5;
const MAX_CRASH_TEXT = 200;

/** Runs each scenario several times: differences between the runs come from timing, and are recorded as varied. */
export async function recordClients(
  recording: ClientRecording,
  { command, recipe, atOnce, print }: ClientOptions,
): Promise<ClientRecording> {
  const backends = await Backends.start(recording.backends);
  const results = new Map<string, ClientScenario>();
  const longestFirst = [...recording.scenarios].sort((a, b) => secondsOf(b) - secondsOf(a));
  const runOnce = async (scenario: ClientScenario): Promise<ScenarioResult> => {
    for (let crashes = 0; ; ) {
      try {
        const result = await runScenario(scenario, {
          recording,
          backends,
          startClient: (setup) => ProgramClient.start(command, setup),
          mergesRequests: recipe.mergesRequests,
        });
        return recipe.hasUnstableSpaces ? withPlainSpaces(result) : result;
      } catch (error) {
        print(`${scenario.id}: the client crashed: ${(error as Error).message.slice(0, MAX_CRASH_TEXT)}`);
        if (++crashes === MAX_CRASHES) throw error;
      }
    }
  };
  try {
    await inParallel(longestFirst, atOnce, async (original) => {
      const scenario = recipe.adapt?.(original) ?? original;
      const first = await runOnce(scenario);
      const varied = new Set<string>();
      for (let run = 1; run < recipe.runs; run++)
        for (const part of variedIn(first, await runOnce(scenario))) varied.add(part);
      for (const { step, what } of first.unmet) print(`${scenario.id}: step ${step} was not met: ${what}`);
      results.set(scenario.id, { ...scenario, expected: expectedOf(first), varied: [...varied] });
    });
  } finally {
    backends.stop();
  }
  return { ...recording, scenarios: recording.scenarios.map(({ id }) => results.get(id) as ClientScenario) };
}

/** Builds of Go programs differ in the spaces of printed messages: one, two, or one that does not break. */
function withPlainSpaces(result: ScenarioResult): ScenarioResult {
  const text = JSON.stringify(result, (key, value: unknown) =>
    (key === 'message' || key === 'details') && typeof value === 'string' ? value.replace(/[ \u00a0]+/g, ' ') : value,
  );
  return JSON.parse(text) as ScenarioResult;
}

function expectedOf({ unmet, ...result }: ScenarioResult): Expected {
  return { ...result, subscriptions: changesOf(result.subscriptions), ...(unmet.length > 0 && { unmet }) };
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
  const steps = isSame(first.unmet, second.unmet) ? [] : ['steps'];
  return [
    ...parts,
    ...steps,
    ...dumps.map(({ label }) => `csds:${label}`),
    ...rpcs.map(({ label }) => `rpcs:${label}`),
  ];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}
