import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/clean-up.js';
import { startCli } from '../../support/cli.js';
import {
  MONITORING,
  panelQueries,
  RULE_TESTS_FILE,
  RULES_FILE,
  readDashboard,
} from '../../support/monitoring-files.js';
import { ROOT } from '../../support/root.js';
import { later, scenario, serving } from '../../support/serving.js';
import { startBuilt } from '../support/built-program.js';
import { eventually, until } from '../support/eventually.js';
import { cluster, endpoints, listener, routes } from '../support/greeter.js';
import { type Alert, Prometheus, promtool } from '../support/prometheus.js';
import { reportFigure } from '../support/report-figure.js';
import { ServedFolder } from '../support/served-folder.js';

const ADDRESS = /Metrics on http:\/\/(\S+)\/metrics/;
const VALID = [listener(), routes('one'), cluster('one'), endpoints('one', 1001)];

/** Starts `watch` in this process, and returns the address of its metrics. */
async function watching(
  variables: Record<string, string>,
  target = 'greeter',
): Promise<{ address: string; stop(): void }> {
  const run = startCli(['watch', target, '--metrics-port', '0', '-o', 'ndjson'], variables);
  later(run.interrupt);
  await until(() => ADDRESS.test(run.stderr), 'watch serves metrics');
  return { address: ADDRESS.exec(run.stderr)?.[1] as string, stop: run.interrupt };
}

const scrape = async (address: string): Promise<string> => (await fetch(`http://${address}/metrics`)).text();

const namesOf = (alerts: readonly Alert[]): string[] =>
  [...new Set(alerts.map(({ labels }) => labels.alertname as string))].sort();

describe('promtool', () => {
  it('accepts the metrics of watch', async () => {
    const { address } = await watching(await serving(join(ROOT, 'fixtures/scenarios/findings/nack-loop.yaml')));
    const text = await eventually(
      () => scrape(address),
      (metrics) => metrics.includes('xds_inspect_findings_total{'),
      'a finding is exported',
    );
    expect(await promtool(['check', 'metrics'], text)).toEqual({ code: 0, output: '' });
    reportFigure(`promtool check metrics: no remark on ${text.match(/^# TYPE/gm)?.length} metrics of watch`);
  });

  it('accepts the rules, and its unit tests of them pass', async () => {
    const checked = await promtool(['check', 'rules', RULES_FILE]);
    expect(checked).toMatchObject({ code: 0, output: expect.stringMatching(/SUCCESS: \d+ rules found/) });
    expect(await promtool(['test', 'rules', RULE_TESTS_FILE])).toMatchObject({ code: 0 });
    reportFigure(`promtool check rules and test rules: ${/\d+ rules/.exec(checked.output)?.[0]}`);
  });

  it('accepts the configuration in docs/monitoring', async () => {
    const page = readFileSync(join(MONITORING, 'README.md'), 'utf8');
    const [, config = ''] = /```yaml\n(# prometheus\.yml\n[\s\S]*?)```/.exec(page) ?? [];
    const folder = temporaryFolder();
    copyFileSync(RULES_FILE, join(folder, 'xds-inspect.rules.yaml'));
    writeFileSync(join(folder, 'prometheus.yml'), config);
    const checked = await promtool(['check', 'config', join(folder, 'prometheus.yml')]);
    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining('SUCCESS: 1 rule files found') });
  });
});

describe('Prometheus scrapes watch', () => {
  it('and fires an alert when the control plane is killed, until it runs again', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'resources.json'), JSON.stringify(VALID));
    const plane = startBuilt(['serve', folder, '--port', '0']);
    await until(() => plane.stderr.includes('Stop with Ctrl-C'), 'serve starts');
    const [, bootstrap = ''] = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(plane.stderr) ?? [];
    const server = /"server_uri":\s*"([^"]+)"/.exec(bootstrap)?.[1] as string;
    const watch = startBuilt(['watch', 'greeter', '--metrics-port', '0'], { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap });
    await until(() => ADDRESS.test(watch.stderr), 'watch serves metrics');
    const instance = ADDRESS.exec(watch.stderr)?.[1] as string;
    const prometheus = await Prometheus.start([instance]);
    const isOk = async (): Promise<boolean> =>
      (await prometheus.query('xds_inspect_target_verdict{verdict="ok"} == 1')).length === 1;
    const isQuiet = async (): Promise<boolean> => (await prometheus.firing()).length === 0;
    await until(async () => (await isOk()) && (await isQuiet()), 'the target is ok and nothing fires');

    await plane.kill();
    const isAlone = (alerts: readonly Alert[]): boolean => namesOf(alerts).join() === 'XdsControlPlaneDisconnected';
    const [alert] = await eventually(() => prometheus.firing(), isAlone, 'only this alert fires');
    expect(alert).toMatchObject({
      state: 'firing',
      labels: { instance, grpc_target: 'xds:///greeter', severity: 'critical' },
      annotations: {
        summary: 'No xDS server is usable for xds:///greeter',
        runbook_url: 'docs/monitoring/alerts/XdsControlPlaneDisconnected.md',
      },
    });
    const [published] = await eventually(() => prometheus.pending(), isAlone, 'only the published rule is pending');
    expect(published).toMatchObject({ state: 'pending' });
    await until(isOk, 'the client keeps its configuration');

    startBuilt(['serve', folder, '--port', server.replace(/^.*:/, '')]);
    await until(isQuiet, 'the alert is resolved');
    reportFigure(
      'Prometheus: XdsControlPlaneDisconnected is pending, fires and is resolved around a killed control plane',
    );
  });

  it('and fires the alerts for what a control plane does', async () => {
    const storm = await watching(await serving(scenario(NACK_STORM)));
    const fallback = await watching(await serving(join(ROOT, 'fixtures/scenarios/demo/fallback.yaml')), 'search');
    const served = await ServedFolder.start({ 'resources.json': VALID });
    const watched = await watching({ GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap });
    const stopped = await watching({ GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap });
    const instances = { storm, fallback, watched, stopped };
    const prometheus = await Prometheus.start(Object.values(instances).map(({ address }) => address));
    const firing = async (name: keyof typeof instances): Promise<string[]> => {
      const { address } = instances[name];
      return namesOf((await prometheus.firing()).filter(({ labels }) => labels.instance === address));
    };
    const fires = async (name: keyof typeof instances, ...alerts: string[]): Promise<void> => {
      await eventually(
        () => firing(name),
        (found) => found.join() === alerts.join(),
        `${name}: only ${alerts.join(', ') || 'no alert'}`,
      );
    };
    await fires(
      'storm',
      'XdsConfigTear',
      'XdsInvalidUpdates',
      'XdsProtocolError',
      'XdsResourceRejected',
      'XdsTargetFails',
    );
    await fires('fallback', 'XdsServerDisconnected');
    await fires('watched');
    await fires('stopped');

    stopped.stop();
    await fires('stopped', 'XdsInspectDown');
    const twoRoutes = [listener(), routes('one', 'routes', ['two']), cluster('one'), endpoints('one', 1001)];
    served.write('resources.json', twoRoutes);
    await fires('watched', 'XdsConfigTear');
    const noEndpoints = { '@type': 'EDS', cluster_name: 'two' };
    served.write('resources.json', [...twoRoutes, cluster('two'), noEndpoints]);
    await fires('watched', 'XdsTargetPartlyFails');
    served.write('resources.json', [...twoRoutes, cluster('two'), endpoints('two', 1002)]);
    await fires('watched');
    served.write('resources.json', [
      listener(),
      routes('one'),
      cluster('one', { type: 'STATIC' }),
      endpoints('one', 1001),
    ]);
    await fires('watched', 'XdsResourceRejected');
    served.write('resources.json', [routes('one'), cluster('one'), endpoints('one', 1001)]);
    await fires('watched', 'XdsResourceStale');
    served.write('resources.json', VALID);
    await fires('watched');
    reportFigure('Prometheus: nine alerts fire for the behaviour that they describe, and no other');
  });
});

/** Like the snapshot cache of go-control-plane: the server resends a rejected response immediately. */
const NACK_STORM = `
resources:
  listener: ${JSON.stringify(listener())}
  routes: ${JSON.stringify(routes('one'))}
  one: ${JSON.stringify(cluster('one', { type: 'STATIC' }))}
servers:
  plane:
    serves:
      - { type: LDS, version: "1", resources: [listener] }
      - { type: RDS, version: "1", resources: [routes] }
    on:
      - { request: CDS, times: 1, do: [{ send: { type: CDS, version: "2", resources: [one] } }] }
      - { request: CDS, is: nack, do: [{ wait: 5ms }, { send: { type: CDS, version: "2", resources: [one] } }] }
`;

describe('the Grafana dashboard', () => {
  it('has only queries that return numbers from a running watch', async () => {
    const served = await ServedFolder.start({ 'resources.json': VALID });
    const { address } = await watching({ GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap });
    const storm = await watching(await serving(scenario(NACK_STORM)));
    const prometheus = await Prometheus.start([address, storm.address]);
    const seen = async (metric: string, labels = ''): Promise<void> => {
      const query = `${metric}{instance="${address}"${labels}} > 0`;
      await until(async () => (await prometheus.query(query)).length > 0, query);
    };
    await seen('xds_inspect_target_verdict', ', verdict="ok"');
    // A tear, which ends, of a configuration change.
    served.write('resources.json', [listener(), routes('two'), cluster('one'), endpoints('one', 1001)]);
    await seen('xds_inspect_tears_open');
    served.write('resources.json', [listener(), routes('two'), cluster('two'), endpoints('two', 1002)]);
    await seen('xds_inspect_tear_duration_seconds_count');
    await seen('xds_inspect_config_change_duration_seconds_count');

    const queries = panelQueries(readDashboard());
    for (const { title, query } of queries) {
      const expr = query.expr.replaceAll(/\$__rate_interval/g, '1m').replaceAll(/\$(job|instance|target)\b/g, '.*');
      await until(
        async () => (await prometheus.query(expr)).some(({ value }) => Number.isFinite(value)),
        `${title}: ${expr}`,
      );
    }
    reportFigure(`Prometheus: all ${queries.length} queries of the dashboard return numbers`);
  });
});
