import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCli } from '../../support/cli.js';
import { later } from '../../support/serving.js';

type Variables = Record<string, string>;

/** The fields of a printed finding that tests compare. */
interface PrintedFinding {
  code: string;
  type: string | null;
  count: number;
  rate: number | null;
  message: string;
}

/** The cluster and the endpoint of RPCs to a target. */
interface Expected {
  target: string;
  cluster: string;
  /** The address of an endpoint. */
  address: string;
}

/** Checks the output of each command for a target without problems. */
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

/** The findings of `status`, and its exit code. */
export async function statusFinds(
  target: string,
  variables: Variables,
  ...flags: string[]
): Promise<{ code: number; findings: PrintedFinding[] }> {
  const { code, stdout } = await runCli(['status', target, '-o', 'json', ...flags], variables);
  const [scope] = (JSON.parse(stdout) as { scopes: { findings: PrintedFinding[] }[] }).scopes;
  return { code, findings: scope?.findings ?? [] };
}
