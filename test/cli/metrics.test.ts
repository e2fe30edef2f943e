import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/commands/index.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli, until } from '../support/cli.js';
import { grpcCollector, httpCollector, otlpLines, type ReceivedExport } from '../support/collector.js';
import { tcpPeer } from '../support/live-server.js';
import { HALF_BROKEN, later, STORY, scenario, serving } from '../support/serving.js';

/** The arguments with which each command connects. */
const ARGUMENTS: Record<string, string[]> = {
  check: ['FILE'],
  get: ['clusters', 'greeter-blue'],
  record: ['greeter', '-f', join(temporaryFolder(), 'r.xdsrec')],
  report: ['greeter'],
  status: ['greeter'],
  tears: ['greeter', '--for', '60s'],
  wait: ['greeter', '--until', 'ready'],
  watch: ['greeter'],
};

/** Starts a command with a port for Prometheus. */
async function served(argv: string[], variables: Record<string, string>) {
  const run = startCli([...argv, '--metrics-port', '0'], variables);
  later(run.interrupt);
  await until(() => run.stderr.includes('Metrics on '), 'metrics are served');
  const [, url = ''] = /^Metrics on (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(run.stderr) ?? [];
  return { run, scrape: async (): Promise<string> => await (await fetch(url)).text() };
}

/** Scrapes until the text matches. */
async function scraped(scrape: () => Promise<string>, pattern: RegExp): Promise<string> {
  let text = '';
  for (const end = Date.now() + 30_000; Date.now() < end && !pattern.test(text); ) {
    text = await scrape();
    await new Promise((done) => setTimeout(done, 20));
  }
  expect(text).toMatch(pattern);
  return text;
}

describe.concurrent('--metrics-port', () => {
  it('serves the verdict and the resources of watch until the command ends', async () => {
    const { run, scrape } = await served(['watch', 'greeter'], await serving(scenario(HALF_BROKEN)));
    const text = await scraped(scrape, /^xds_inspect_target_verdict\{.*verdict="partly"\} 1$/m);
    expect(text).toMatch(
      /^xds_inspect_target_cause\{grpc_target="xds:\/\/\/greeter",target="xds:\/\/\/greeter",cause="data-error"\} 1$/m,
    );
    expect(text).toMatch(
      /^grpc_xds_client_connected\{grpc_target="xds:\/\/\/greeter",grpc_xds_server="127\.0\.0\.1:\d+"\} 1$/m,
    );
    expect(text).toMatch(/^grpc_xds_client_resources\{.*grpc_xds_cache_state="received_error",.*\} 1$/m);
    expect(text).toMatch(/^xds_inspect_client_info\{version="1\.2\.3",as="spec",node_id="[^"]*"\} 1$/m);
    expect(text).toMatch(/^target_info\{service_name="xds-inspect",service_version="1\.2\.3",/m);
    run.interrupt();
    expect(await run.done).toBe(130);
    await expect(scrape()).rejects.toThrow();
  });

  it('serves the resources of get', async () => {
    const argv = ['get', 'cds', 'blue', 'red', 'gone', '--watch', '-o', 'name'];
    const { run, scrape } = await served(argv, await serving(scenario(HALF_BROKEN)));
    await until(() => run.stdout.includes('blue'), 'a resource is printed');
    const text = await scraped(scrape, /grpc_xds_cache_state="received_error"/);
    const labels = 'grpc_target="get",grpc_xds_authority="#old"';
    for (const state of ['acked', 'does_not_exist', 'received_error'])
      expect(text).toContain(
        `grpc_xds_client_resources{${labels},grpc_xds_cache_state="${state}",grpc_xds_resource_type="envoy.config.cluster.v3.Cluster"} 1\n`,
      );
    expect(text).toMatch(/^grpc_xds_client_connected\{grpc_target="get",.*\} 1$/m);
    expect(text).toMatch(/^grpc_xds_client_resource_updates_valid_total\{.*\} 1$/m);
    expect(text).toMatch(/^grpc_xds_client_resource_updates_invalid_total\{.*\} 1$/m);
    expect(text).not.toContain('xds_inspect_target_verdict');
  });

  it('serves the sum of all clients of a check', async () => {
    const target = 'target: greeter, ready: true, observe: 60s';
    const path = scenario(`targets: [{ ${target} }, { ${target}, node_id: other }]`);
    const { scrape } = await served(['check', path], await serving(STORY));
    const text = await scraped(scrape, /^xds_inspect_target_verdict\{.*verdict="ok"\} 2$/m);
    expect(text).toMatch(/^xds_inspect_client_info\{.*node_id="other"\} 1$/m);
    expect(text).toMatch(/^grpc_xds_client_connected\{.*\} 1$/m);
  });

  it('is a flag of every command that stays connected', async () => {
    const commands = (await allCommands()).filter(({ options }) => 'csds-port' in options).map(({ name }) => name);
    expect(commands.sort()).toEqual(Object.keys(ARGUMENTS).sort());
  });

  it.each(Object.entries(ARGUMENTS))('opens the port in %s', async (command, args) => {
    const argv = [command, ...args.map((arg) => (arg === 'FILE' ? scenario('targets: [{ target: greeter }]') : arg))];
    const run = startCli([...argv, '--metrics-port', '0'], await serving(STORY));
    later(run.interrupt);
    await until(() => run.stderr.includes('Metrics on http://127.0.0.1:'), `the port is open: ${run.stderr}`);
    run.interrupt();
    await run.done;
  });

  it('rejects a port that is not available, before it connects', async () => {
    const variables = await serving(STORY);
    const peer = await tcpPeer(() => {});
    later(peer.close);
    const port = peer.uri.slice(peer.uri.indexOf(':') + 1);
    const busy = await runCli(['status', 'greeter', '--metrics-port', port, '-v'], variables);
    expect(busy.code).toBe(69);
    expect(busy.stderr).toBe(
      `xds-inspect: port ${port} on 127.0.0.1 is already in use: stop the process that uses it, or choose another with --metrics-port (0 selects a free one)\n`,
    );
    const bad = await runCli(['status', 'greeter', '--metrics-port', 'here'], variables);
    expect([bad.code, bad.stderr]).toEqual([
      64,
      'xds-inspect: --metrics-port takes a port, or host:port, not "here"\n',
    ]);
    const all = await runCli(['get', 'all', '--metrics-port', '0'], variables);
    expect([all.code, all.stderr]).toEqual([
      64,
      'xds-inspect: --metrics-port requires a single type: get clusters --metrics-port, for example\n',
    ]);
  });
});

const VERDICT = 'xds_inspect.target.verdict{grpc.target=xds:///greeter,target=xds:///greeter,verdict=partly} 1';

describe.concurrent('OTLP', () => {
  const linesOf = (received: ReceivedExport | undefined): string[] => received?.metrics.flatMap(otlpLines) ?? [];

  it('receives the last values of a command that ends', async () => {
    const { url, received } = await httpCollector();
    const variables = {
      ...(await serving(scenario(HALF_BROKEN))),
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20geheim',
      OTEL_SERVICE_NAME: 'canary',
    };
    const run = await runCli(['status', 'greeter', '-v'], variables);
    expect(run.code).toBe(79);
    await until(() => received.length > 0, 'an export');
    const [first] = received;
    expect(first?.path).toBe('/v1/metrics');
    expect(first?.headers).toMatchObject({ authorization: 'Bearer geheim', 'content-type': 'application/x-protobuf' });
    expect(first?.resource).toMatchObject({ 'service.name': 'canary', 'service.version': '1.2.3' });
    expect(linesOf(first)).toContain(VERDICT);
    expect(first?.metrics.find(({ name }) => name === 'grpc.xds_client.server_failure')).toMatchObject({
      unit: '{failure}',
      sum: { aggregationTemporality: 2, isMonotonic: true },
    });
    expect(linesOf(first).join('\n')).toMatch(
      /^xds_inspect\.response\.latency\{grpc\.xds\.server=.*,grpc\.xds\.resource_type=envoy\.config\.listener\.v3\.Listener\} 1$/m,
    );
    expect(run.stdout + run.stderr).not.toContain('geheim');
  });

  it.each([
    [
      'as compressed JSON',
      httpCollector,
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' },
    ],
    ['over gRPC', grpcCollector, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=1' }],
  ])('receives metrics %s', async (_how, collector, settings) => {
    const { url, received } = await collector();
    const variables = { ...(await serving(scenario(HALF_BROKEN))), OTEL_EXPORTER_OTLP_ENDPOINT: url, ...settings };
    const run = await runCli(['status', 'greeter'], variables);
    await until(() => received.length > 0, `an export: ${run.stderr}`);
    expect(linesOf(received[0])).toContain(VERDICT);
    if ('OTEL_EXPORTER_OTLP_HEADERS' in settings) expect(received[0]?.headers).toMatchObject({ 'x-key': '1' });
  });

  it('receives values at each interval, as changes if it prefers them', async () => {
    const { url, received } = await httpCollector();
    const variables = {
      ...(await serving(STORY)),
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${url}/own`,
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
      OTEL_METRIC_EXPORT_INTERVAL: '50',
    };
    const run = startCli(['watch', 'greeter'], variables);
    later(run.interrupt);
    const validIn = ({ metrics }: ReceivedExport): number =>
      (metrics.find(({ name }) => name === 'grpc.xds_client.resource_updates_valid')?.sum?.dataPoints ?? []).reduce(
        (sum, { asDouble = 0 }) => sum + asDouble,
        0,
      );
    await until(
      () => received.some((one) => validIn(one) > 0) && validIn(received.at(-1) as ReceivedExport) === 0,
      'an export without changes',
    );
    expect(received[0]?.path).toBe('/own');
    expect(received.at(-1)?.metrics.find(({ sum }) => sum !== undefined)?.sum?.aggregationTemporality).toBe(1);
  });

  it('causes one remark if it refuses metrics, and none with --quiet', async () => {
    const { url, received } = await httpCollector(503);
    const variables = {
      ...(await serving(STORY)),
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_METRIC_EXPORT_INTERVAL: '20',
    };
    const run = startCli(['watch', 'greeter'], variables);
    later(run.interrupt);
    await until(() => received.length >= 3, 'three exports');
    run.interrupt();
    expect(await run.done).toBe(130);
    const remark = `OTLP: no metrics sent to ${url}/v1/metrics: HTTP 503; check OTEL_EXPORTER_OTLP_ENDPOINT\n`;
    expect(run.stderr.split(remark)).toHaveLength(2);
    const before = received.length;
    const quiet = await runCli(['status', 'greeter', '-q'], variables);
    await until(() => received.length > before, 'the export of the quiet command');
    expect(quiet.stderr).not.toContain('OTLP');
  });

  it('does not delay the exit code, and holds the end of the process', async () => {
    const { url, received } = await httpCollector('none');
    const variables = { ...(await serving(STORY)), OTEL_EXPORTER_OTLP_ENDPOINT: url };
    const tasks: Promise<void>[] = [];
    const holdEnd = (task: Promise<void>): void => void tasks.push(task);
    const run = startCli(['status', 'greeter'], variables, false, undefined, '', { holdEnd });
    expect(await run.done).toBe(0);
    await until(() => received.length > 0, 'an export');
    await Promise.all(tasks);
    expect(tasks).toHaveLength(1);
    expect(run.stderr).toContain('no response within 2.0 s');
  });

  it('is not used if the variables are invalid: the command continues', async () => {
    const variables = { ...(await serving(STORY)), OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' };
    const run = await runCli(['status', 'greeter'], variables);
    expect(run.code).toBe(0);
    expect(run.stderr).toBe(
      'OTLP: no metrics are sent: OTEL_EXPORTER_OTLP_ENDPOINT=nowhere: use a URL, such as http://localhost:4318\n',
    );
  });

  it('is not used if OTEL_METRICS_EXPORTER is none', async () => {
    const { url, received } = await httpCollector();
    const variables = { ...(await serving(STORY)), OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_METRICS_EXPORTER: 'none' };
    expect((await runCli(['status', 'greeter'], variables)).code).toBe(0);
    expect(received).toEqual([]);
  });
});
