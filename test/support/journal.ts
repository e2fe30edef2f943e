import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { feedRecording, readHeader } from '../../src/inspect/feed-recording.js';
import type { JournalStep } from '../../src/inspect/history/journal.js';
import { recordJournal } from '../../src/inspect/history/recorded-history.js';
import { type HistoryClient, SessionHistory } from '../../src/inspect/history/session-history.js';
import { ResourceFilter } from '../../src/inspect/resource-filter.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { configDocument } from '../../src/view/config.js';
import { explainDocument } from '../../src/view/explain.js';
import { reportDocument } from '../../src/view/report.js';
import { statusDocument } from '../../src/view/status.js';
import { tearsDocument } from '../../src/view/tears.js';
import { RecordedSimulation } from './recorded.js';
import { ROOT } from './root.js';
import { everythingServed, scenarioFile } from './simulate.js';
import { textRecording } from './text-recording.js';

const FOLDER = join(ROOT, 'fixtures/scenarios');
/** Paths of all scenarios, relative to their folder. */
export const SCENARIOS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yaml'),
);

export interface Journal {
  client: HistoryClient;
  steps: JournalStep[];
}

/** The lines of a recording of a scenario in virtual time. The client follows `greeter` and all served listeners. */
export function recordedScenario(name: string): string[] {
  const scenario = scenarioFile(join(FOLDER, name));
  const run = new RecordedSimulation(scenario);
  const served = everythingServed(scenario).filter(({ typeUrl }) => typeUrl === RESOURCE_TYPES.LDS);
  for (const target of new Set(['greeter', ...served.map(({ name: listener }) => listener)])) run.follow(target);
  run.clock.advanceBy(60_000);
  return run.finish().trimEnd().split('\n');
}

/** The journal of a recording. */
export async function journalOf(lines: readonly string[]): Promise<Journal> {
  const file = textRecording(lines);
  const header = await readHeader(file);
  const steps: JournalStep[] = [];
  const { client, engine } = recordJournal(header, (step) => steps.push(step));
  const input = (...[one, at]: Parameters<typeof engine.handle>): void => void engine.handle(one, at);
  await feedRecording({ file, header, until: undefined }, { input, end: () => {} });
  return { client, steps };
}

export function historyOf({ client, steps }: Journal): SessionHistory {
  const history = new SessionHistory(client);
  for (const step of steps) history.apply(step);
  return history;
}

const ALL = new ResourceFilter({ type: undefined, name: undefined, status: undefined });
const ANY_CALL = { isAnyCall: true, call: { path: '/', metadata: [] }, deadlineMs: undefined, rules: 'today' } as const;

/** The documents that views are made of, at a time. */
export function documentsAt(history: SessionHistory, time: number): object {
  const result = history.at(time);
  const rerun = { program: 'xds-inspect', flags: [] };
  return {
    report: reportDocument(result, { filter: ALL, rerun, notes: [], worseThan: () => undefined }),
    status: statusDocument(result, ALL),
    config: configDocument(result),
    explain: explainDocument(result, ANY_CALL),
    tears: tearsDocument(result, 0),
  };
}
