import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCli } from '../../support/cli.js';
import { later } from '../../support/serving.js';

type Variables = Record<string, string>;

/** A finding in JSON, as far as tests look at it. */
interface InspectionOutput {
  code: string;
  type: string | null;
  count: number;
  rate: number | null;
  message: string;
}

/** Where RPCs to a target end up. */
interface Expected {
  target: string;
  cluster: string;
  /** Of an endpoint. */
  address: string;
}

/** What each command says of a target that is served well. */
export async function everyCommandShows({ target, cluster, address }: Expected, variables: Variables): Promise<void> {
  const document = async (...argv: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runCli([...argv, '-o', 'json'], variables);
    expect([argv[0], code, stderr]).toEqual([argv[0], 0, '']);
    return JSON.parse(stdout);
  };
  const acked = ['LDS', 'CDS', 'EDS'].map((type) => expect.objectContaining({ type, status: 'ACKED' }));
  expect(await document('status', target)).toMatchObject({
    scopes: [{ settled: true, channels: [{ config: 'published' }], resources: expect.arrayContaining(acked) }],
  });
  expect(await document('explain', target, '--method', '/interop.Echo/Say')).toMatchObject({
    outcome: 'ok',
    route: { cluster },
  });
  expect(await document('get', 'eds', cluster)).toMatchObject({ resources: [{ name: cluster, verdict: 'accepted' }] });
  expect(await document('tears', target, '--for', '2s')).toMatchObject({ scopes: [{ tears: [] }] });
  expect(await document('check', expectations(target, cluster))).toMatchObject({ failed: 0 });
  const config = await runCli(['config', target], variables);
  expect(config.code).toBe(0);
  for (const text of [cluster, address]) expect(config.stdout).toContain(text);
}

function expectations(target: string, cluster: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-check-'));
  later(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'expectations.json');
  const resources = { [`CDS/${cluster}`]: 'ACKED', [`EDS/${cluster}`]: { endpoints: { total: '>=1' } } };
  const rpcs = [{ method: '/interop.Echo/Say', expect: { cluster } }];
  writeFileSync(file, JSON.stringify({ never: ['NACKED'], targets: [{ target, resources, rpcs }] }));
  return file;
}

/** What `status` finds, and its exit code. */
export async function statusFinds(
  target: string,
  variables: Variables,
  ...flags: string[]
): Promise<{ code: number; findings: InspectionOutput[] }> {
  const { code, stdout } = await runCli(['status', target, '-o', 'json', ...flags], variables);
  const [scope] = (JSON.parse(stdout) as { scopes: { findings: InspectionOutput[] }[] }).scopes;
  return { code, findings: scope?.findings ?? [] };
}
