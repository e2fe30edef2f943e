import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { type Run, readSarif, type SarifResult } from '../support/sarif.js';
import { TEXTS } from './hostile.js';

let folder: string;
const path = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(path(name), text);
  return path(name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-sarif-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function sarif(argv: string[], variables: Record<string, string> = {}): Promise<{ code: number; run: Run }> {
  const { code, stdout } = await runCli([...argv, '-o', 'sarif'], variables);
  const run = readSarif(stdout);
  expect(run.invocations[0]?.exitCode).toBe(code);
  return { code, run };
}

const region = ({ locations }: SarifResult): unknown => locations?.[0]?.physicalLocation.region;

const CLUSTER = `"@type": CDS
name: blue
type: EDS
eds_cluster_config: { eds_config: { ads: {} } }
`;
const REJECTED = `${CLUSTER}lb_policy: CLUSTER_PROVIDED\n`;
const RECORDING = 'fixtures/recordings/first-look.xdsrec';

describe('validate -o sarif', () => {
  it('reports a rejected field at its line, with the resource, the rule and the manual page', async () => {
    const { code, run } = await sarif(['validate', write('rejected.yaml', REJECTED)]);
    const [result] = run.results.filter(({ ruleId }) => ruleId === 'XI100');
    expect([code, run.invocations[0]?.executionSuccessful]).toEqual([79, true]);
    expect(result).toMatchObject({
      level: 'error',
      message: { text: 'lb_policy: LB policy is not supported' },
      locations: [
        {
          physicalLocation: { region: { startLine: 5, startColumn: 1 } },
          logicalLocations: [
            { name: 'CDS/blue', kind: 'resource', fullyQualifiedName: 'CDS/blue' },
            { name: 'lb_policy', kind: 'member', fullyQualifiedName: 'CDS/blue.lb_policy' },
          ],
        },
      ],
      relatedLocations: [{ message: { text: 'CDS blue' }, physicalLocation: { region: { startLine: 1 } } }],
    });
    expect(run.tool.driver.rules.find(({ id }) => id === 'XI100')).toMatchObject({
      help: { markdown: expect.stringContaining('What to do') },
      defaultConfiguration: { level: 'error' },
    });
  });

  it('reports ignored parts as warnings and notes on other implementations with their own rules', async () => {
    const text = JSON.stringify({ '@type': 'LDS', x_unknown: 1 });
    const { run } = await sarif(['validate', write('notes.json', text)]);
    const levels = Object.fromEntries(run.results.map(({ ruleId, level }) => [ruleId, level]));
    expect(levels).toMatchObject({ XI100: 'error', XI105: 'warning', DL51: 'note' });
  });

  it('keeps the fingerprint when lines are added above, and counts columns in characters', async () => {
    const cluster = `? "@type"\n: CDS\n? name\n: blue\n`;
    const before = await sarif(['validate', write('moved.yaml', `${cluster}"😀": 1`)]);
    const after = await sarif([
      'validate',
      write('moved.yaml', `# 😀\n\n{ "😀😀": 1, "@type": CDS, name: blue, "😀": 1 }`),
    ]);
    const find = ({ results }: Run): SarifResult =>
      results.find(({ message }) => message.text.startsWith('["😀"]: ')) as SarifResult;
    expect(find(after.run).partialFingerprints).toEqual(find(before.run).partialFingerprints);
    expect([region(find(before.run)), region(find(after.run))]).toEqual([
      { startLine: 5, startColumn: 1 },
      { startLine: 3, startColumn: 38 },
    ]);
  });

  it('omits suppressed findings, as other formats do', async () => {
    const file = write('suppressed.json', '{"@type":"CDS","name":"a","x_unknown":1}');
    const rules = async (...flags: string[]): Promise<string[]> =>
      (await sarif(['validate', file, ...flags])).run.results.map(({ ruleId }) => ruleId);
    expect(await rules()).toContain('XI105');
    expect(await rules('--suppress', 'XI105')).not.toContain('XI105');
  });

  it('has no results for valid files', async () => {
    const { code, run } = await sarif(['validate', write('valid.yaml', CLUSTER)]);
    expect([code, run.results, run.tool.driver.rules]).toEqual([0, [], []]);
  });

  it('reports files that cannot be read as notifications and results, and the others as usual', async () => {
    const { code, run } = await sarif([
      'validate',
      path('missing.yaml'),
      write('broken.yaml', 'a: [\n'),
      write('ok.yaml', REJECTED),
    ]);
    expect([code, run.invocations[0]?.executionSuccessful]).toEqual([65, false]);
    const notifications = run.invocations[0]?.toolExecutionNotifications ?? [];
    expect(notifications.map(({ descriptor, level }) => `${descriptor.id} ${level}`)).toEqual([
      'unreadable error',
      'unreadable error',
    ]);
    expect(notifications[0]?.message.text).toContain('no such file');
    expect(run.results.map(({ ruleId }) => ruleId)).toEqual(['unreadable', 'unreadable', 'XI100']);
    expect(region(run.results[1] as SarifResult)).toEqual({ startLine: 2, startColumn: 1 });
  });

  it('keeps results of different clients apart, and excludes --as all', async () => {
    const file = write('as.yaml', CLUSTER);
    const id = async (as: string): Promise<string> =>
      (await sarif(['validate', file, '--as', as])).run.automationDetails.id;
    expect([await id('spec'), await id('grpc-go')]).toEqual(['xds-inspect/validate/', 'xds-inspect/validate/grpc-go/']);
    const all = await runCli(['validate', file, '--as', 'all', '-o', 'sarif']);
    expect(all).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining('excludes --as all') });
  });

  it('is valid for files and resources with hostile names', async () => {
    const hostile = path('hostile');
    mkdirSync(hostile);
    const names = [...TEXTS, '-', '%41', 'a#b', 'http:b', ' ', 'x%2f'].filter((name) => !/[/\0]/.test(name));
    for (const name of names)
      write(
        join('hostile', `${name.slice(0, 60)}.json`),
        JSON.stringify({ '@type': 'CDS', name, lb_policy: 'MAGLEV' }),
      );
    const { run } = await sarif(['validate', hostile]);
    const files = new Set(run.results.map(({ locations }) => locations?.[0]?.physicalLocation.artifactLocation.uri));
    expect(files.size).toBe(names.length);
  });
});

describe('bootstrap validate -o sarif', () => {
  it('reports lint at its line in the file, and a bootstrap in a variable without one', async () => {
    const text =
      '{\n  "xds_servers": [\n    { "server_url": "x:1", "channel_creds": [{ "type": "insecure" }] }\n  ]\n}';
    const file = await sarif(['bootstrap', 'validate', write('bootstrap.json', text)]);
    expect(file.code).toBe(65);
    expect(file.run.invocations[0]?.executionSuccessful).toBe(true);
    const typo = file.run.results.find(({ ruleId }) => ruleId === 'XI012');
    expect(typo?.locations?.[0]).toMatchObject({
      physicalLocation: { region: { startLine: 3 } },
      logicalLocations: [{ kind: 'member' }],
    });
    const variable = await sarif(['bootstrap', 'validate'], { GRPC_XDS_BOOTSTRAP_CONFIG: text });
    expect(variable.run.results.map(({ ruleId }) => ruleId)).toEqual(file.run.results.map(({ ruleId }) => ruleId));
    for (const { locations = [] } of variable.run.results)
      for (const one of locations) expect(one).not.toHaveProperty('physicalLocation');
  });

  it('reports a bootstrap that cannot be read as a notification', async () => {
    const { code, run } = await sarif(['bootstrap', 'validate', path('none.json')]);
    expect(code).toBe(65);
    expect(run.invocations[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ descriptor: { id: 'unreadable' } }],
    });
    expect(run.results.map(({ ruleId }) => ruleId)).toEqual(['XI001']);
  });

  it('names the file of GRPC_XDS_BOOTSTRAP', async () => {
    const { run } = await sarif(['bootstrap', 'validate'], { GRPC_XDS_BOOTSTRAP: write('named.json', '{') });
    expect(run.results[0]?.locations?.[0]?.physicalLocation.artifactLocation.uri).toMatch(/^file:.*\/named\.json$/);
  });
});

describe('check -o sarif', () => {
  const EXPECTATIONS = `targets:
  - target: xds:///greeter
    resources:
      CDS/greeter-blue: ACKED
      CDS/other: ACKED
`;

  it('reports a failed expectation at its line, and nothing if all are met', async () => {
    const { code, run } = await sarif(['replay', RECORDING, 'check', write('expectations.yaml', EXPECTATIONS)]);
    expect([code, run.invocations[0]?.executionSuccessful]).toEqual([79, true]);
    expect(run.results).toMatchObject([
      {
        ruleId: 'failed-expectation',
        level: 'error',
        locations: [
          {
            physicalLocation: { region: { startLine: 5, startColumn: 7 } },
            logicalLocations: [{ name: 'xds:///greeter', kind: 'target' }, { kind: 'expectation' }],
          },
        ],
      },
    ]);
    const met = await sarif([
      'replay',
      RECORDING,
      'check',
      write('met.yaml', EXPECTATIONS.replace(/ +CDS\/other.*\n/, '')),
    ]);
    expect([met.code, met.run.results]).toEqual([0, []]);
  });

  it('reports an expectations file that is invalid', async () => {
    const { code, run } = await sarif(['check', write('invalid.yaml', 'targets:\n  - goal: x\n')]);
    expect([code, run.invocations[0]?.executionSuccessful]).toEqual([65, false]);
    expect(run.results.map(({ ruleId }) => ruleId)).toEqual(['expectations', 'expectations']);
    expect(run.invocations[0]?.toolExecutionNotifications).toHaveLength(2);
  });

  it('reports that the control plane is unreachable, so that nobody trusts the results', async () => {
    const file = write('live.yaml', EXPECTATIONS);
    const { code, run } = await sarif(['check', file, '--server', '127.0.0.1:1', '--plaintext', '--timeout', '5s']);
    expect(code).toBe(69);
    expect(run.invocations[0]?.executionSuccessful).toBe(false);
    expect(run.results.length).toBeGreaterThan(0);
  });
});
