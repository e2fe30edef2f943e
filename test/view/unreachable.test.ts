import { describe, expect, it } from 'vitest';
import { type InspectionResult, inspectionResult } from '../../src/inspect/inspection-result.js';
import { openLive } from '../../src/inspect/live.js';
import { configDocument } from '../../src/view/config.js';
import { configTrees } from '../../src/view/render/config-tree.js';
import { paintFor } from '../../src/view/render/paint.js';
import { unreachableSentences } from '../../src/view/unreachable.js';
import { HALF, live, SERVED } from '../inspect/live-source.js';

/** The inspection result `ms` milliseconds after the start. */
function resultAt(ms: number, scenario: string): InspectionResult {
  const { source, clock } = live(scenario);
  const inspection = openLive(source, {});
  inspection.start();
  clock.advanceTo(ms);
  const result = inspectionResult(inspection, 'timed out');
  inspection.close();
  return result;
}

const SILENT = 'servers: { p: { on: [{ request: LDS, do: [] }] } }';
const ANSWERS = 'send: { type: LDS, version: "5", resources: [] }';
/** The client rejects an update of the cluster, then the server goes down. */
const KEPT = `${SERVED.replace('\nservers:', '\n  bad: { "@type": CDS, name: blue, type: STATIC }\nservers:')}steps:
  - wait: 1s
  - set: { type: CDS, version: "2", resources: [bad] }
  - wait: 1s
  - state: refusing
`;

describe('the report of an unusable control plane', () => {
  it.each<[title: string, ms: number, scenario: string, sentences: string[]]>([
    [
      'names a server that refuses connections',
      3000,
      'servers: { p: { state: refusing } }',
      ['memory:p refuses connections'],
    ],
    ['names a silent server', 800, SILENT, ['memory:p accepted the stream and has not answered for 800 ms']],
    [
      'contains the cause if the server responded without the listener',
      800,
      SILENT.replace('do: []', `do: [{ ${ANSWERS} }]`),
      ['no listener "greeter": memory:p answered version 5 without it'],
    ],
    [
      'names a server that sends no response of a type',
      16_000,
      HALF,
      ['cluster blue: memory:p has sent no CDS response for 16 s'],
    ],
    ['is empty if the cause is about a resource', 1500, KEPT, []],
    ['is empty if the configuration is complete', 1000, SERVED, []],
    ['names a lost server in addition to another cause', 5000, KEPT, [expect.stringMatching(/^memory:p /)]],
  ])('%s', (_title, ms, scenario, sentences) => {
    const result = resultAt(ms, scenario);
    expect(unreachableSentences(result, 'json')).toEqual(sentences);
    for (const format of ['table', 'text', 'tree', 'lines']) expect(unreachableSentences(result, format)).toEqual([]);
  });
});

describe('a newer configuration that is incomplete', () => {
  const NEXT = SERVED.replace('\nservers:', '\n  next: &next\nservers:');
  const next = NEXT.replace('&next', (SERVED.match(/ l: (.*)/)?.[1] ?? '').replace('cluster: blue', 'cluster: green'));
  const moving = `${next}steps:\n  - wait: 1s\n  - set: { type: LDS, version: "2", resources: [next] }\n`;

  it.each<[title: string, ms: number, scenario: string, isSaid: boolean]>([
    ['is mentioned below the verdict', 2000, moving, true],
    ['is not mentioned before it arrives', 500, moving, false],
    ['is not called newer if it is the first', 500, HALF, false],
  ])('%s', async (_title, ms, scenario, isMentioned) => {
    const result = resultAt(ms, scenario);
    const paint = await paintFor(false);
    const page = { paint, isColored: false, width: undefined, isTerminal: false, showsTimes: false, listsAll: false };
    const text = configTrees(configDocument(result), { ...page, ageOf: () => 0 });
    expect(text.includes('gRPC uses the previous one until the rest arrives'), text).toBe(isMentioned);
  });
});
