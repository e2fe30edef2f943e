import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareClients } from '../../tools/oracle/conformance/client/compare.js';
import { conformance } from '../../tools/oracle/conformance/command.js';
import { Comparison } from '../../tools/oracle/conformance/comparison.js';
import { deepDifference } from '../../tools/oracle/conformance/deep-difference.js';
import { readRecordingFile } from '../../tools/oracle/conformance/recording-file.js';
import { compareRecording, kindOf } from '../../tools/oracle/conformance/run.js';
import { ROOT } from '../support/root.js';

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, 'fixtures', file), 'utf8'));

/** The ids of differing cases of a recording, and the comparison. */
async function differences(file: string, preset: 'c-core' | 'spec' = 'c-core') {
  const recording = read(file);
  const kind = kindOf(recording);
  if (kind === undefined) throw new Error(`${file} is not a recording`);
  const comparison = await compareRecording(recording, kind, preset);
  return { ids: [...new Set(comparison.differences.map(({ id }) => id))], comparison };
}

/** The messages about a Unix socket and of c-ares depend on the machine. */
const MACHINE_TEXTS = ['bad-uri-scheme', 'server-dns-fails-ares'];

/**
 * R1.27: in these scenarios a dependency changes and changes back within one response. Whether C-core unsubscribes in
 * between is a race of its threads, and differs between recordings.
 */
const RACES = ['fuzz-035', 'fuzz-134', 'fuzz-153'];

describe('recordings of C-core', () => {
  it.each(['bootstrap/c-core.json', 'bootstrap/c-core-names.json', 'routing/c-core.json', 'resources/c-core.json'])(
    '%s agrees',
    async (file) => {
      const { ids, comparison } = await differences(file);
      expect(ids).toEqual([]);
      expect(comparison.tallies.every(({ total }) => total > 30)).toBe(true);
    },
  );

  it('client scenarios all agree, except for messages that depend on the machine', async () => {
    const { ids, comparison } = await differences('client/c-core.json');
    expect(ids).toEqual(MACHINE_TEXTS);
    for (const { what } of comparison.differences) expect(what).toMatch(/^rpcs /);
    const [answers] = comparison.tallies;
    expect(answers).toMatchObject({ what: 'answers', total: 1218 });
  });

  it('random walks agree, except for races in C-core itself', async () => {
    const { ids } = await differences('client/c-core-walks.json');
    expect(ids).toEqual(RACES);
  });

  it('differ with the default policies only where a decision (D1, D2, …) explains it', async () => {
    const { ids } = await differences('client/c-core.json', 'spec');
    const undecided = ids.filter((id) => !/ \(D\d+\)$/.test(id) && !MACHINE_TEXTS.includes(id));
    expect(undecided).toEqual(SHARED_CLIENTS);
    expect(ids.length).toBeGreaterThan(10);
  });
});

/** The least shares of what other clients did that must be predicted, in percent. */
const OTHER_CLIENTS = {
  'grpc-go': { answers: 99, subscriptions: 98, csds: 96, rpcs: 96, steps: 99 },
  'grpc-node': { answers: 98, subscriptions: 96, csds: 96, rpcs: 97, steps: 95 },
} as const;

describe.each(Object.entries(OTHER_CLIENTS))('recordings of %s', (preset, shares) => {
  const files = readdirSync(join(ROOT, 'fixtures/client')).filter((file) => file.startsWith(preset));

  it.each(files)('%s agree with its preset', async (file) => {
    const recording = readRecordingFile(join(ROOT, 'fixtures/client', file));
    const comparison = await compareRecording(recording, 'client', preset as keyof typeof OTHER_CLIENTS);
    for (const { what, agree, total } of comparison.tallies) {
      expect(total, what).toBeGreaterThan(100);
      expect((100 * agree) / total, what).toBeGreaterThanOrEqual(shares[what as keyof typeof shares]);
    }
    const all = comparison.tallies.reduce((sum, { total, varied = 0 }) => sum + total + varied, 0);
    const varied = comparison.tallies.reduce((sum, one) => sum + (one.varied ?? 0), 0);
    expect(varied / all, 'varied').toBeLessThan(0.05);
  });
});

/** D17: two spellings of one target share a client here, but not in C-core. */
const SHARED_CLIENTS = ['scope-shared'];

describe('the comparison', () => {
  it('finds differences from the recording', async () => {
    const recording = read('client/c-core.json');
    const [scenario] = recording.scenarios;
    scenario.expected.answers[0].version = 'other';
    scenario.expected.subscriptions.at(-1).streams = { 'primary#1': { LDS: ['other'] } };
    scenario.expected.csds[0].clients[0].generic_xds_configs[0].client_status = 'ACKED';
    scenario.steps.push({ op: 'expect', type: 'CDS', names: ['never'], timeout: 1 });
    const comparison = new Comparison();
    await compareClients({ ...recording, scenarios: [scenario] }, comparison, 'c-core');
    expect(new Set(comparison.differences.map(({ what }) => what.split(' ')[0]))).toEqual(
      new Set(['answers', 'subscriptions', 'csds', 'steps']),
    );
  });

  it('prints the path of a difference', () => {
    const recorded = { list: [{ name: 'a', x: 1 }, { name: 'b' }], same: [1] };
    expect(deepDifference(recorded, { list: [{ name: 'b' }, { name: 'a', x: 2 }], same: [1] })).toEqual([
      'list[a].x: recorded 1, here 2',
    ]);
  });

  it('detects the kind of a recording by its contents', () => {
    expect(kindOf({ scenarios: [] })).toBe('client');
    expect(kindOf({ cases: [{ response: [] }] })).toBe('resources');
    expect(kindOf({ cases: [{ expect: {} }] })).toBe('bootstraps');
    expect(kindOf({ cases: [{ kind: 'target' }] })).toBe('names');
    expect(kindOf({ cases: [{ kind: 'virtual-host' }] })).toBe('routes');
    for (const other of [{}, null, { cases: [] }, { cases: [{ kind: 'x' }] }, 7]) expect(kindOf(other)).toBeUndefined();
  });

  it('exits with 0 if all agree, 1 if too few do, and 65 for a file that is not a recording', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
    const file = (name: string, content: unknown): string => {
      writeFileSync(join(folder, name), JSON.stringify(content));
      return join(folder, name);
    };
    const routes = read('routing/c-core.json');
    const [first, ...rest] = routes.cases.slice(0, 40);
    const good = file('good.json', { cases: [first, ...rest] });
    const bad = file('bad.json', { cases: [{ ...first, chosen: 99 }, ...rest] });
    const run = async (...args: string[]) => {
      const lines: string[] = [];
      const print = (line: string): void => void lines.push(line);
      const status = await conformance(args, print, print);
      return { status, text: lines.join('\n') };
    };
    expect(await run(good)).toMatchObject({ status: 0, text: expect.stringContaining('40 of 40 agree: 100.00 %') });
    expect(await run(bad)).toMatchObject({ status: 1, text: expect.stringContaining('recorded 99, here') });
    expect(await run('--min', '95', bad)).toMatchObject({ status: 0, text: expect.stringContaining('39 of 40 agree') });
    expect((await run(file('other.json', { x: 1 }))).status).toBe(65);
    expect((await run(join(folder, 'none.json'))).status).toBe(65);
    const main = ['--import', 'tsx', join(ROOT, 'tools/oracle/conformance/main.mts'), bad];
    const { status, stdout } = spawnSync(process.execPath, main, { encoding: 'utf8', cwd: ROOT });
    expect([status, stdout]).toEqual([1, expect.stringContaining('39 of 40 agree: 97.50 %')]);
    rmSync(folder, { recursive: true });
  });
});
