import { describe, expect, it } from 'vitest';
import { PRESET_NAMES } from '../../../src/bootstrap/preset-names.js';
import { compareImplementations } from '../../../src/inspect/compare/compare-implementations.js';
import { type RecordedClient, RequestLog, recordedEvidence } from '../../../src/inspect/compare/recorded-evidence.js';
import { recordedImplementations } from '../../../src/inspect/compare/recorded-implementations.js';
import { readHeader } from '../../../src/inspect/feed-recording.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { RecordedSimulation } from '../../support/recorded.js';
import { scenarioFrom } from '../../support/simulate.js';
import { textRecording } from '../../support/text-recording.js';
import { SERVED } from '../live-source.js';
import { runOf } from './runs.js';

/** A control plane that reports an error for the cluster (TP3), which only clients with A88 read. */
const REPORTED = SERVED.replace('      - { type: CDS, version: "1", resources: [c] }\n', '').concat(`
    on:
      - request: CDS
        do: [{ send: { type: CDS, version: "1", resources: [], errors: [{ name: blue, code: PERMISSION_DENIED, message: no }] } }]
`);

async function comparedRecording(scenarioText: string, seconds: number) {
  const simulation = new RecordedSimulation(scenarioFrom(scenarioText));
  simulation.follow('xds:///greeter', 'greeter');
  simulation.clock.advanceBy(1000 * seconds);
  const file = textRecording(simulation.finish().trimEnd().split('\n'));
  const source = {
    kind: 'recording',
    file,
    header: await readHeader(file),
    until: undefined,
    onRemark: () => {},
  } as const;
  return compareImplementations(await recordedImplementations(source, PRESET_NAMES), undefined);
}

const verdicts = ({ targets }: Awaited<ReturnType<typeof comparedRecording>>) =>
  Object.fromEntries(
    [...(targets[0]?.cells ?? [])].map(([preset, { verdict, reason }]) => [preset, [verdict, reason]]),
  );

describe('a comparison of a recording', () => {
  it('replays the recorded responses to every implementation', async () => {
    const { targets } = await comparedRecording(SERVED, 2);
    const words = [...(targets[0]?.cells.values() ?? [])].map(({ verdict }) => verdict);
    expect(words).toEqual(PRESET_NAMES.map(() => 'ok'));
  });

  it('does not measure a client that still waits when the recording ends, if the recorded client does not', async () => {
    const short = verdicts(await comparedRecording(REPORTED, 2));
    expect(short.spec?.[0]).toBe('fails');
    expect(short['c-core']).toEqual(['not-measured', expect.stringContaining('the recording ends after 2.0 s')]);
    const long = verdicts(await comparedRecording(REPORTED, 20));
    expect(long['c-core']?.[0]).toBe('fails');
  });
});

describe('the evidence of a recording', () => {
  const request = (server: string, name: string) =>
    ({ kind: 'request', scope: 'xds:///greeter', server, typeUrl: RESOURCE_TYPES.CDS, names: [name] }) as never;
  const logOf = (...requests: [server: string, name: string][]): RequestLog => {
    const log = new RequestLog();
    for (const [server, name] of requests) log.observe(request(server, name));
    return log;
  };
  const missing = { typeUrl: RESOURCE_TYPES.CDS, name: 'green', resource: undefined, rejected: undefined } as never;

  it.each<[title: string, recorded: [string, string][], other: [string, string][], why: string | undefined]>([
    ['is complete for a resource that both requested', [['a', 'green']], [['a', 'green']], undefined],
    ['lacks a resource that only the other client requested', [], [['a', 'green']], 'never requested CDS green'],
    ['lacks a resource of a server that only the other client used', [['a', 'green']], [['b', 'green']], 'from b'],
  ])('%s', async (_, recorded, other, why) => {
    const { result } = await runOf('spec', SERVED);
    const client: RecordedClient = { preset: 'spec', requests: logOf(...recorded), result, lengthMs: 1000 };
    const found = recordedEvidence(client, logOf(...other)).missingFor('xds:///greeter', missing);
    if (why === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(why);
  });

  it('is complete for a resource that was received without a request', async () => {
    const { result } = await runOf('spec', SERVED);
    const entry = result.snapshot[0]?.entry(RESOURCE_TYPES.CDS, 'blue');
    const client: RecordedClient = { preset: 'spec', requests: logOf(), result, lengthMs: 1000 };
    expect(entry && recordedEvidence(client, logOf(['a', 'blue'])).missingFor('elsewhere', entry)).toBeUndefined();
  });
});
