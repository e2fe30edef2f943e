import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientInspection, open } from '../../src/inspect/inspection.js';
import type { CauseCode, VerdictWord } from '../../src/inspect/verdict/verdict.js';
import { memoryUri } from '../../src/scenario/memory-network.js';
import type { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { ROOT } from '../support/root.js';
import { scenarioFile } from '../support/simulate.js';
import { sourceOf, type VirtualSource } from './live-source.js';

const FOLDER = join(ROOT, 'fixtures/scenarios/causes');

/** The expectation of a scenario in `expected.json`. */
interface Expected {
  target: string;
  /** Seconds after the start at which this holds; by default 1. */
  seconds?: number;
  /** Server features of the bootstrap. */
  features?: string[];
  /** Environment variables of the client. */
  variables?: Record<string, string>;
  /** The error of the transport, if the in-memory network cannot produce such a failure. */
  failure?: string;
  verdict: VerdictWord;
  cause: CauseCode | null;
  /** `{plane}` stands for the URI of the server of that name. */
  message: string | null;
  advice: string | null;
  clients: string | null;
}

export interface CauseScenario {
  name: string;
  /** The scenario file, for `serve`. */
  path: string;
  targets: string[];
  expected: Expected;
  /** An in-memory control plane that runs the scenario, and how a client connects to it. */
  source(): VirtualSource;
  /** A client of the in-memory control plane that has not started. */
  open(): Promise<{ inspection: ClientInspection; clock: VirtualClock }>;
  /** The same client at the time at which the expectation holds. */
  reached(): Promise<{ inspection: ClientInspection; clock: VirtualClock }>;
}

/** Every scenario of `fixtures/scenarios/causes`, with its expectation. */
export function causeScenarios(): CauseScenario[] {
  const table = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<string, Expected>;
  return Object.entries(table).map(([name, expected]) => {
    const path = join(FOLDER, `${name}.yaml`);
    const scenario: CauseScenario = {
      name,
      path,
      targets: [expected.target],
      expected: { ...expected, message: inMemory(expected.message), advice: inMemory(expected.advice) },
      source: () => {
        const { target, ...options } = expected;
        return sourceOf(scenarioFile(path), { targets: [target], ...options });
      },
      open: async () => {
        const { source, clock } = scenario.source();
        return { inspection: await open(source), clock };
      },
      reached: async () => {
        const opened = await scenario.open();
        await reach(scenario, opened);
        return opened;
      },
    };
    return scenario;
  });
}

/** Starts a client and runs it until its expectation holds. */
export async function reach(
  { expected }: Pick<CauseScenario, 'expected'>,
  { inspection, clock }: { inspection: ClientInspection; clock: VirtualClock },
): Promise<void> {
  inspection.start();
  clock.advanceTo(1000 * (expected.seconds ?? 1));
  // DNS responds in a later turn of the event loop, at the same virtual time.
  await new Promise(setImmediate);
}

export function scenarioFiles(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace(/\.yaml$/, ''));
}

function inMemory(text: string | null): string | null {
  return text === null ? null : text.replace(/\{(plane|fallback)\}/g, (_, name: string) => memoryUri(name));
}
