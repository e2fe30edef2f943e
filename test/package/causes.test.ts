import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { CAUSE_CODES } from '../../src/inspect/verdict/verdict.js';
import { causeScenarios } from '../inspect/cause-scenarios.js';
import { TestAuthority } from '../support/certificates.js';
import { ROOT } from '../support/root.js';
import { until } from '../support/until.js';

/** The scenarios of all cause codes, with the exit code of `xds-inspect <target>`, and `--for` if the scenario changes. */
const CAUSES: [scenario: string, code: number, ...flags: string[]][] = [
  ['ok', 0],
  ['no-listener-other-names', 79],
  ['virtual-host-mismatch-rds', 79],
  ['no-route-redirect', 79],
  ['rejected-cds', 79],
  ['data-error-cds', 79],
  ['unreachable-refused', 69],
  ['node-refused-permission', 69],
  ['silent-lds', 79],
  ['not-in-response-cds', 79],
  ['deleted-lds', 79, '--for', '1s'],
  ['no-usable-endpoint-eds', 79],
  ['no-endpoints-eds', 79],
  ['missing-leaf-eds', 0],
  ['on-fallback-refused', 0],
  ['depends-on-rls', 0],
  ['kept-old-version-cds', 79, '--for', '1s'],
  ['fault-abort', 79],
  ['config-tear-cluster', 0, '--for', '4s'],
  ['unsupported-protocol-no-ads', 69],
];

const SCENARIOS = new Map(causeScenarios().map((one) => [one.name, one]));

interface Bootstrap {
  xds_servers: { server_uri: string; channel_creds: { type: string; config?: object }[]; server_features?: string[] }[];
}

interface Process {
  child: ChildProcess;
  stdout: string;
  stderr: string;
  done: Promise<number | null>;
}

/** Starts the built program in a separate process. */
function start(argv: readonly string[], variables: Record<string, string> = {}): Process {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'bin/xds-inspect.js'), ...argv], { env: { PATH, ...variables } });
  const run: Process = { child, stdout: '', stderr: '', done: new Promise((resolve) => child.on('close', resolve)) };
  child.stdout.on('data', (text) => {
    run.stdout += text;
  });
  child.stderr.on('data', (text) => {
    run.stderr += text;
  });
  return run;
}

/** Line 1 and the exit code of `xds-inspect <target>`. */
async function report(target: string, bootstrap: Bootstrap, flags: string[] = [], variables = {}) {
  const run = start([target, ...flags], { GRPC_XDS_BOOTSTRAP_CONFIG: JSON.stringify(bootstrap), ...variables });
  const code = await run.done;
  return { code, line1: run.stdout.split('\n')[0], stderr: run.stderr };
}

/** Replaces real times, and the addresses of servers by `memory:plane`. */
function normalized(text: string, bootstrap: Bootstrap): string {
  const [plane, fallback] = bootstrap.xds_servers.map(({ server_uri }) => server_uri);
  return text
    .replaceAll(plane ?? '', 'memory:plane')
    .replaceAll(fallback ?? 'memory:fallback', 'memory:fallback')
    .replace(/\d+(\.\d+)? (ms|s)\b/g, 'some time')
    .replace(/\d\d:\d\d:\d\d(\.\d+)?/g, 'a time');
}

describe.concurrent('xds-inspect <target> on a control plane in another process', () => {
  it('has a scenario for each cause code', () => {
    const codes = new Set(CAUSES.map(([name]) => SCENARIOS.get(name)?.expected.cause ?? null));
    expect([...CAUSE_CODES, null].filter((code) => !codes.has(code))).toEqual(['tls']);
  });

  it.each(CAUSES)('exits with the code of the cause and prints it in line 1: %s, %i', async (name, code, ...flags) => {
    const scenario = SCENARIOS.get(name);
    if (scenario === undefined) throw new Error(`no scenario ${name}`);
    const { target, features = [], variables, verdict, message } = scenario.expected;
    const plane = start(['serve', scenario.path, '--port', '0']);
    try {
      await until(() => plane.stderr.includes('Stop with Ctrl-C'), 'serve starts');
      const [, config = ''] = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(plane.stderr) ?? [];
      const bootstrap: Bootstrap = JSON.parse(config);
      for (const server of bootstrap.xds_servers) server.server_features = features;
      const printed = await report(target, bootstrap, flags, variables);
      expect({ ...printed, line1: normalized(printed.line1 ?? '', bootstrap) }).toMatchObject({
        code,
        line1: expect.stringContaining(normalized(message ?? 'every route finds a usable endpoint', bootstrap)),
      });
      expect(printed.line1).toMatch(new RegExp(`^xds:///${target}  ${verdict.toUpperCase()}\\b`));
    } finally {
      plane.child.kill('SIGINT');
      await plane.done;
    }
  });

  it('exits with 69 and prints the certificate error in line 1: tls', async () => {
    const { certificate: cert, key } = await (await TestAuthority.create('nobody')).issue();
    const server = createServer({ cert, key, ALPNProtocols: ['h2'] }, (socket) => socket.on('error', () => {}));
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const bootstrap = { xds_servers: [{ server_uri: `127.0.0.1:${port}`, channel_creds: [{ type: 'tls' }] }] };
      const { code, line1 } = await report('greeter', bootstrap);
      const { message } = SCENARIOS.get('tls-untrusted')?.expected ?? {};
      expect({ code, line1: normalized(line1 ?? '', bootstrap) }).toEqual({
        code: 69,
        line1: `xds:///greeter  FAILS  ${normalized(message ?? '', bootstrap)}`,
      });
    } finally {
      server.close();
    }
  });
});
