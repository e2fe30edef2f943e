import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../support/clean-up.js';
import { runCli } from '../../support/cli.js';
import { RecordedSimulation, type RecordOptions } from '../../support/recorded.js';
import { ROOT } from '../../support/root.js';
import { scenarioFile, scenarioFrom } from '../../support/simulate.js';
import { type OpenOptions, openHtml } from './open-page.js';

const SCENARIOS = join(ROOT, 'fixtures/scenarios');

/** A recording that a test made in virtual time. */
export interface Recorded extends RecordOptions {
  /** A file in fixtures/scenarios, or the text of a scenario. */
  scenario: string;
  /** The targets, and their listeners if these have other names. */
  targets: Record<string, string>;
  seconds: number;
}

/** A rollout with a tear, a per-resource error, a NACK and a fallback server. */
export const ROLLOUT: Recorded = {
  scenario: 'page/rollout.yaml',
  targets: {
    'xds:///orders': 'orders',
    'xds://eu/shipping': 'xdstp://eu/envoy.config.listener.v3.Listener/shipping',
  },
  seconds: 25,
};

const texts = new Map<Recorded, string>();

/** Records a simulated session and returns the path of the recording. */
export function recordingOf(recorded: Recorded): string {
  const text = texts.get(recorded) ?? simulate(recorded);
  texts.set(recorded, text);
  const { scenario } = recorded;
  const name = scenario.endsWith('.yaml') ? basename(scenario, '.yaml') : 'session';
  const path = join(temporaryFolder(), `${name}.xdsrec`);
  writeFileSync(path, text);
  return path;
}

function simulate({ scenario, targets, seconds, ...options }: Recorded): string {
  const read = scenario.endsWith('.yaml') ? scenarioFile(join(SCENARIOS, scenario)) : scenarioFrom(scenario);
  const simulation = new RecordedSimulation(read, options);
  for (const [target, listener] of Object.entries(targets)) simulation.follow(target, listener);
  simulation.clock.advanceBy(seconds * 1000);
  return simulation.finish();
}

/** Runs `replay` on a recording, whatever its verdict. Fails if the command prints nothing. */
export async function replay(path: string, ...argv: string[]): Promise<string> {
  const { stdout, stderr, code } = await runCli(['replay', path, ...argv]);
  if (stdout === '') throw new Error(`replay ${argv.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

export async function replayJson<T>(path: string, ...argv: string[]): Promise<T> {
  return JSON.parse(await replay(path, ...argv, '-o', 'json')) as T;
}

/** Writes the page of a recording and opens it. */
export async function openRecording(path: string, options: OpenOptions = {}, ...argv: string[]): Promise<Page> {
  return await openHtml(await replay(path, ...argv, '-o', 'html'), options);
}
