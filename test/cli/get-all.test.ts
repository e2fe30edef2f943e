import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runCli, startCli, until } from '../support/cli.js';
import { CLOSED, LiveServer, responseBytes } from '../support/live-server.js';
import { later, listener, scenario, serving, startServing } from '../support/serving.js';

const RDS = 'rds: { config_source: { ads: {} }, route_config_name: rt }';

/** Every kind of reference from one resource type to the next. */
const RESOURCES = `
resources:
  l: ${listener(RDS)}
  r: { "@type": RDS, name: rt, virtual_hosts: [{ domains: ["*"], routes: [
      { match: { prefix: /a }, route: { cluster: blue } },
      { match: { prefix: "" }, route: { weighted_clusters: { clusters: [{ name: green, weight: 1 }] } } }] }] }
  b: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  g: { "@type": CDS, name: green, type: EDS, eds_cluster_config: { eds_config: { self: {} }, service_name: green-eds } }
  e: { "@type": EDS, cluster_name: blue }
  f: { "@type": EDS, cluster_name: green-eds }
`;
const ALL = [
  '{ type: LDS, version: "1", resources: [l] }',
  '{ type: RDS, version: "2", resources: [r] }',
  '{ type: CDS, version: "3", resources: [b, g] }',
  '{ type: EDS, version: "4", resources: [e, f] }',
];
const serves = (...parts: string[]): string =>
  scenario(`${RESOURCES}servers: { p: { serves: [${parts.join(', ')}] } }`);
const EVERYTHING = ['LDS/greeter', 'RDS/rt', 'CDS/blue', 'CDS/green', 'EDS/blue', 'EDS/green-eds'];
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe.concurrent('get all', () => {
  it('prints one list with the types in order, in every format', async () => {
    const variables = await serving(serves(...ALL));
    const print = async (format: string): Promise<string> => {
      const { code, stdout, stderr } = await runCli(['get', 'All', '-o', format], variables);
      expect({ code, stderr }, format).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    expect(lines(await print('name'))).toEqual(EVERYTHING);
    expect(lines(await print('table')).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ['TYPE', 'NAME', 'VERSION'],
      ['LDS', 'greeter', '1'],
      ['RDS', 'rt', '2'],
      ['CDS', 'blue', '3'],
      ['CDS', 'green', '3'],
      ['EDS', 'blue', '4'],
      ['EDS', 'green-eds', '4'],
    ]);
    const documents = parseAllDocuments(await print('yaml')).map((one) => one.toJS());
    expect(documents.map((one) => one.name ?? one.clusterName)).toEqual(EVERYTHING.map((name) => name.slice(4)));
    const view = JSON.parse(await print('json'));
    expect(view).toMatchObject({ schema: 'xds-inspect/get/v1', type: 'all', typeUrl: null, errors: [], missing: [] });
    expect(view.resources.map(({ type, name }: Record<string, string>) => `${type}/${name}`)).toEqual(EVERYTHING);
    const events = lines(await print('ndjson')).map((line) => JSON.parse(line));
    expect(events.map(({ type, name }) => `${type}/${name}`).sort()).toEqual([...EVERYTHING].sort());
  });

  it('requests clusters by the names in routes if the server lists none', async () => {
    const rules = `
      - { request: CDS, names: [], do: [{ send: { type: CDS, version: "0", resources: [] } }] }
      - { request: CDS, names: [blue, green], do: [{ send: { type: CDS, version: "3", resources: [b, g] } }] }`;
    const held = [ALL[0], ALL[1], ALL[3]].join(', ');
    const path = scenario(`${RESOURCES}servers:\n  p:\n    serves: [${held}]\n    on:${rules}\n`);
    const { code, stdout } = await runCli(['get', 'all', '-o', 'name'], await serving(path));
    expect({ code, names: lines(stdout) }).toEqual({ code: 0, names: EVERYTHING });
  });

  it('reports each type without resources, with its version', async () => {
    const server = await LiveServer.start(({ responseNonce, typeUrl }, call) => {
      if (responseNonce === '') call.write(responseBytes('6', [], { typeUrl }));
    });
    later(() => server.close());
    const flags = ['--server', server.uri, '--plaintext'];
    for (const format of ['yaml', 'table', 'name']) {
      expect(await runCli(['get', 'all', '-o', format, ...flags])).toMatchObject({
        code: 0,
        stdout: '',
        stderr:
          'no listeners, version 6\nno clusters, version 6\nno routes: no listener names any\nno endpoints: no cluster names any\n',
      });
    }
    expect(await runCli(['get', 'clusters', '-o', 'table', ...flags])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'no clusters, version 6\n',
    });
    expect(JSON.parse((await runCli(['get', 'clusters', '-o', 'json', ...flags])).stdout)).toMatchObject({
      version: '6',
      resources: [],
    });
    expect((await runCli(['get', 'rtds', '-w', '--for', '500ms', ...flags])).stderr).toBe(
      'no RTDS resources, version 6\n',
    );
  });

  it('prints the received resources, and reports names without a response', async () => {
    const variables = await serving(serves(ALL[0] as string, ALL[2] as string));
    const { code, stdout, stderr } = await runCli(['get', 'all', '-o', 'name', '--timeout', '1s'], variables);
    expect({ code, names: lines(stdout) }).toEqual({ code: 75, names: ['LDS/greeter', 'CDS/blue', 'CDS/green'] });
    expect(stderr).toContain('RDS rt: no response within 1.0 s');
    expect(stderr).toContain('EDS blue: no response within 1.0 s');
    const { missing } = JSON.parse((await runCli(['get', 'all', '-o', 'json', '--timeout', '1s'], variables)).stdout);
    expect(missing).toEqual(['RDS/rt', 'EDS/blue', 'EDS/green-eds']);
  });

  it('ends at the resource timer of the first two types if the server is silent', async () => {
    const server = await LiveServer.start(() => {});
    later(() => server.close());
    const run = await runCli(['get', 'all', '--timeout', '300ms', '--server', server.uri, '--plaintext']);
    expect([run.code, run.stdout]).toEqual([75, '']);
    expect(lines(run.stderr)).toEqual([
      expect.stringMatching(
        /LDS: 127\.0\.0\.1:\d+: no response within 300 ms; some servers respond only to requests with/,
      ),
      expect.stringMatching(
        /CDS: 127\.0\.0\.1:\d+: no response within 300 ms; some servers respond only to requests with/,
      ),
    ]);
  });

  it('reports once that the server cannot be reached', async () => {
    const run = await runCli(['get', 'all', '--server', CLOSED, '--plaintext']);
    expect([run.code, run.stdout, lines(run.stderr)]).toEqual([69, '', [expect.stringContaining('cannot be reached')]]);
  });

  it('prints the received resources when interrupted', async () => {
    const { plane, variables } = await startServing(serves(ALL[0] as string, ALL[2] as string));
    const run = startCli(['get', 'all', '-o', 'name'], variables);
    await until(() => plane.stdout.includes('RDS'), 'RDS is requested');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(lines(run.stdout)).toEqual(['LDS/greeter', 'CDS/blue', 'CDS/green']);
    expect(plane.stdout).not.toContain('EDS');
  });

  it('omits names of an authority that the bootstrap lacks, and fails', async () => {
    const far = 'xdstp://far/envoy.config.route.v3.RouteConfiguration/rt';
    const path = scenario(`
resources:
  l: ${listener(`rds: { config_source: { ads: {} }, route_config_name: "${far}" }`)}
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [] }] } }`);
    const { code, stdout, stderr } = await runCli(['get', 'all', '-o', 'name'], await serving(path));
    expect({ code, stdout }).toEqual({ code: 79, stdout: 'LDS/greeter\n' });
    expect(stderr).toContain(`${far}: the bootstrap has no authority "far"`);
  });

  it.each([
    [['get', 'all', 'blue'], 'names require a single type: get clusters blue'],
    [['get', 'all', '--watch'], '--watch requires a single type'],
    [['get', 'all', '--record', 'x.xdsrec'], '--record requires a single type'],
    [['get', 'all', '--csds-port', '0'], '--csds-port requires a single type'],
  ])('rejects %j with 64', async (argv, message) => {
    const { code, stdout, stderr } = await runCli([...argv, '--server', 'localhost:1', '--plaintext']);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(message);
  });
});
