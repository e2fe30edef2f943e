import { describe, expect, it } from 'vitest';
import { feedRecording, readHeader } from '../../../src/inspect/feed-recording.js';
import { recordHistory } from '../../../src/inspect/history/recorded-history.js';
import type { SessionHistory } from '../../../src/inspect/history/session-history.js';
import { open } from '../../../src/inspect/inspection.js';
import { type InspectionResult, inspectionResult } from '../../../src/inspect/inspection-result.js';
import { ResourceFilter } from '../../../src/inspect/resource-filter.js';
import { settled } from '../../../src/inspect/settled.js';
import type { RecordingFile } from '../../../src/inspect/source.js';
import { configDocument } from '../../../src/view/config.js';
import { explainDocument } from '../../../src/view/explain.js';
import { reportDocument } from '../../../src/view/report.js';
import { tearsDocument } from '../../../src/view/tears.js';
import { memoryRecorder } from '../../support/memory-recorder.js';
import { type CauseScenario, causeScenarios, reach } from '../cause-scenarios.js';
import { live } from '../live-source.js';

const ALL = new ResourceFilter({ type: undefined, name: undefined, status: undefined });
const CALL = {
  isAnyCall: false,
  call: { path: '/a.B/C', metadata: [] },
  deadlineMs: 1000,
  rules: 'today',
} as const;

/** Everything that views show of a state, except metrics, which a history does not have. */
function documents(result: InspectionResult): unknown {
  const report = reportDocument(result, { filter: ALL, rerun: undefined, notes: [], worseThan: () => undefined });
  const scopes = report.scopes.map(({ metrics: _metrics, ...scope }) => scope);
  return [{ ...report, scopes }, configDocument(result), explainDocument(result, CALL), tearsDocument(result, 0)];
}

async function recorded(scenario: CauseScenario): Promise<RecordingFile> {
  const { source, clock } = scenario.source();
  const recorder = memoryRecorder(source);
  const inspection = await open({ ...source, recorder });
  await reach(scenario, { inspection, clock });
  inspection.close();
  return recorder.file(clock);
}

async function historyOf(file: RecordingFile): Promise<SessionHistory> {
  const header = await readHeader(file);
  const { history, replaying } = recordHistory(header);
  await feedRecording({ file, header, until: undefined }, replaying);
  return history;
}

/** The documents of `replay --at`. */
async function replayedAt(file: RecordingFile, until: number): Promise<unknown> {
  const header = await readHeader(file);
  const inspection = await open({ kind: 'recording', file, header, until, changes: {}, onRemark: () => {} });
  const ending = await inspection.until(settled(inspection), { limit: 0 });
  return documents(inspectionResult(inspection, ending));
}

describe('the history of a recorded session', () => {
  it.each(causeScenarios().map((scenario) => [scenario.name, scenario] as const))(
    'shows what replay --at shows, at every time: %s',
    async (_name, scenario) => {
      const file = await recorded(scenario);
      const history = await historyOf(file);
      const times = new Set([...history.events.map(({ event }) => event.at), history.end]);
      for (const at of times) expect(documents(history.at(at)), `at ${at} ms`).toEqual(await replayedAt(file, at));
    },
  );

  it('lists the states of a resource with their times', async () => {
    const rejected = causeScenarios().find(({ name }) => name === 'kept-old-version-cds');
    const history = await historyOf(await recorded(rejected as CauseScenario));
    const [clusters] = [...history.resources()].filter(({ typeUrl }) => typeUrl.endsWith('.Cluster'));
    const { scope = '', typeUrl = '', name = '' } = clusters ?? {};
    const states = history.versionsOf(scope, typeUrl, name).map(({ entry }) => `${entry?.status} ${entry?.version}`);
    expect(states).toEqual(['REQUESTED ', 'ACKED 5', 'NACKED 5']);
  });

  it('counts the events up to a time', async () => {
    const history = await historyOf(await recorded(causeScenarios()[0] as CauseScenario));
    expect(history.eventsUntil(history.client.start - 1)).toBe(0);
    expect(history.eventsUntil(Number.POSITIVE_INFINITY)).toBe(history.events.length);
    expect(history.at(history.client.start - 1).targets).toEqual([]);
  });
});

const keys = (count: number): string => Array.from({ length: count }, (_, i) => `c${i}`).join(', ');

/** A control plane that sends 30 clusters again and again under new versions, without changing them. */
const REPEATING = `
resources:
${Array.from({ length: 30 }, (_, i) => `  c${i}: { "@type": CDS, name: c${i}, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }`).join('\n')}
  l: { "@type": LDS, name: greeter, api_listener: { api_listener: { "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, http_filters: [{ name: r, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }], route_config: { virtual_hosts: [{ domains: ["*"], routes: [${Array.from({ length: 30 }, (_, i) => `{ match: { prefix: /${i} }, route: { cluster: c${i} } }`).join(', ')}] }] } } } }
servers:
  p:
    serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [${keys(30)}] }]
steps:
  - wait: 1s
  - send: { type: CDS, version: "2", resources: [${keys(30)}] }
  - wait: 1s
  - send: { type: CDS, version: "3", resources: [${keys(29)}] }
`;

describe('a response that repeats many resources', () => {
  it('changes their versions, and keeps that of a resource that it omits', async () => {
    const { source, clock } = live(REPEATING);
    const recorder = memoryRecorder(source);
    const inspection = await open({ ...source, recorder });
    inspection.start();
    clock.advanceTo(5000);
    inspection.close();
    const file = recorder.file(clock);
    const history = await historyOf(file);
    const versionsAt = (at: number): string[] =>
      history.at(at).snapshot.flatMap(({ entries }) => entries.map(({ name, version }) => `${name} ${version}`));
    expect(versionsAt(500)).toContain('c29 1');
    expect(versionsAt(1500)).toContain('c29 2');
    expect(versionsAt(2500)).toEqual(expect.arrayContaining(['c0 3', 'c29 2']));
    for (const at of [500, 1000, 1500, 2500, 5000])
      expect(documents(history.at(at))).toEqual(await replayedAt(file, at));
  });
});

describe('the states over time', () => {
  it('are those that the history has at each time', async () => {
    for (const scenario of causeScenarios().slice(0, 12)) {
      const history = await historyOf(await recorded(scenario));
      for (const { scope, channels, authorities, entries } of history.at(Number.POSITIVE_INFINITY).snapshot) {
        for (const { target, state, isWithheld } of channels) {
          const last = history.channelsOf(scope, target).at(-1)?.channel;
          expect([last?.state.kind, last?.isWithheld]).toEqual([state.kind, isWithheld]);
        }
        expect(history.serversOf(scope).at(-1)?.authorities).toEqual(authorities);
        const changes = new Map([...history.changesOf(scope)].map((one) => [`${one.typeUrl} ${one.name}`, one.states]));
        for (const { typeUrl, name, status } of entries)
          expect(changes.get(`${typeUrl} ${name}`)?.at(-1)?.entry?.status).toBe(status);
      }
    }
  });
});
