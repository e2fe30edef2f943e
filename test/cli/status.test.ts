import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCli, startCli, until } from '../support/cli.js';
import { HALF_BROKEN, later, listener, STORY, scenario, serving, startServing } from '../support/serving.js';

describe.concurrent('status', () => {
  it('follows a target to its endpoints and prints the status of each resource', async () => {
    const { code, stdout } = await runCli(['status', 'greeter'], await serving(STORY));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}OK {2}every route finds a usable endpoint\n {2}RPCs: OK \(greeter-blue: \d endpoints?\) · endpoints are not contacted\n {2}4 resources · 127\.0\.0\.1:\d+ · node demo-node\n/,
    );
    const rows = stdout.split('\n').filter((line) => /^[LRCE]DS/.test(line));
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4).join(' '))).toEqual([
      'LDS greeter ACKED 7',
      'RDS greeter-routes ACKED 7',
      'CDS greeter-blue ACKED 7',
      expect.stringMatching(/^EDS greeter-blue ACKED 1[23]$/),
    ]);
  });

  it('exits with 79 for a target that fails, even if every resource is ACKED', async () => {
    const routes =
      'rds: { route_config_name: "xdstp://nowhere/envoy.config.route.v3.RouteConfiguration/r", config_source: { ads: {} } }';
    const source = scenario(`
resources: { l: ${listener(routes)} }
servers: { p: { serves: [{ type: LDS, resources: [l] }] } }
`);
    const { code, stdout, stderr } = await runCli(['status', 'greeter'], await serving(source));
    expect(stdout).toContain('authority "nowhere" not present in bootstrap config');
    expect([code, stderr]).toEqual([79, 'exit 79: xds:///greeter fails\n']);
    expect((await runCli(['status', 'greeter', '--fail-on', 'none'], await serving(source))).code).toBe(0);
  });

  it('prints JSON with one scope per target', async () => {
    const { code, stdout } = await runCli(['status', '-o', 'json', 'greeter', 'xds:///greeter'], await serving(STORY));
    expect(code).toBe(0);
    const { schema, scopes } = JSON.parse(stdout);
    expect(schema).toBe('xds-inspect/status/v1');
    expect(scopes).toHaveLength(1);
    expect(scopes[0]).toMatchObject({
      scope: 'xds:///greeter',
      settled: true,
      authorities: [{ name: '#old', servers: [{ priority: 0, state: 'ok', active: true, error: null }] }],
    });
    expect(scopes[0].resources[0]).toMatchObject({
      type: 'LDS',
      name: 'greeter',
      status: 'ACKED',
      version: '7',
      error: null,
      lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  it('prints a rejected resource with the reason and exits with 79', async () => {
    const path = scenario(`
resources: { l: ${listener('xff_num_trusted_hops: 1, rds: { route_config_name: x, config_source: { ads: {} } }')} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`);
    const variables = await serving(path);
    const { code, stdout } = await runCli(['status', 'greeter'], variables);
    expect(code).toBe(79);
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}FAILS {2}LDS greeter version 1 was rejected: .*xff_num_trusted_hops/);
    expect(stdout).toContain('RPCs: UNAVAILABLE (empty address list: gRPC has no listener for this target)');
    expect(stdout).toContain('  1 resource · 1 NACKED · ');
    expect(stdout).toMatch(
      /LDS +greeter +NACKED +\(1\) +\d+ ms +1 +✗ api_listener\.api_listener\.value\[.*\]\.xff_num_trusted_hops: must be zero\n/,
    );
    const { scopes } = JSON.parse((await runCli(['status', '-o', 'json', 'greeter'], variables)).stdout);
    expect(scopes[0].resources[0].error).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: 'nack',
      nature: 'data',
      origin: 'client',
      effect: 'none-cached',
      final: 'OnResourceChanged',
      draft: 'OnClientDataError',
    });
  });

  it('prints the error that the server reports for a resource (xRFC TP3)', async () => {
    const path = scenario(`
servers: { p: { on: [{ request: LDS, do: [{ send: { type: LDS, version: "1", errors: [{ name: greeter, code: PERMISSION_DENIED, message: not for you }] } }] }] } }
`);
    const { code, stdout } = await runCli(['status', 'greeter'], await serving(path));
    expect(code).toBe(79);
    expect(stdout).toMatch(/LDS +greeter +RECEIVED_ERROR .*PERMISSION_DENIED "not for you"\n/);
  });

  it('follows only the virtual host of its authority', async () => {
    const path = scenario(`
resources:
  l: ${listener(
    'route_config: { virtual_hosts: [{ domains: ["other"], routes: [{ match: { prefix: "" }, route: { cluster: a } }] }, { domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: b } }] }] }',
  )}
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`);
    const variables = await serving(path);
    const clusters = async (...flags: string[]): Promise<string[]> => {
      const { stdout } = await runCli(['status', '-o', 'json', '--timeout', '3s', 'greeter', ...flags], variables);
      return JSON.parse(stdout).scopes[0].resources.flatMap((r: { type: string; name: string }) =>
        r.type === 'CDS' ? [r.name] : [],
      );
    };
    expect(await clusters()).toEqual(['b']);
    expect(await clusters('--default-authority', 'OTHER')).toEqual(['a']);
  });

  it('uses the next server if the first is down, and reports the fallback (A71)', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG } = await serving(STORY);
    const bootstrap = JSON.parse(GRPC_XDS_BOOTSTRAP_CONFIG);
    const down = { ...bootstrap.xds_servers[0], server_uri: '127.0.0.1:1' };
    const config = JSON.stringify({ ...bootstrap, xds_servers: [down, ...bootstrap.xds_servers] });
    const { code, stdout } = await runCli(['status', 'greeter'], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(code).toBe(0);
    const { server_uri: uri } = bootstrap.xds_servers[0];
    expect(stdout).toContain(`xds:///greeter  OK, on the fallback server ${uri} since `);
    expect(stdout).toContain('(the primary 127.0.0.1:1 refuses connections');
    expect(stdout).toContain(`  4 resources · ${uri} (2nd of 2 servers) · node demo-node\n`);
  });

  it('exits with 69 if no server can be reached', async () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const { code, stdout, stderr } = await runCli(['status', 'greeter'], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(code).toBe(69);
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}FAILS {2}127\.0\.0\.1:1 refuses connections\n/);
    expect(stdout).toMatch(/LDS +greeter +REQUESTED +– +[\d.]+ m?s +– +✗ no usable server\n/);
    expect(stderr).toBe('exit 69: no usable xDS server for xds:///greeter\n');
    const names = await runCli(['status', 'greeter', '-o', 'name'], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(names).toMatchObject({ code: 69, stdout: '' });
  });

  it('exits with 75 after the timeout, and prints the received resources', async () => {
    const { code, stdout, stderr } = await runCli(
      ['status', '--timeout', '300ms', 'greeter'],
      await serving(scenario('servers: { p: {} }')),
    );
    expect(code).toBe(75);
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}WAITING {2}127\.0\.0\.1:\d+ accepted the stream and has not answered for \d+ m?s\n/,
    );
    expect(stdout).toMatch(/LDS +greeter +REQUESTED .* not received yet\n/);
    expect(stderr).toBe('exit 75: timed out waiting for LDS greeter\n');
    expect(stdout).toContain(' · not settled\n');
  });

  it('prints the received resources when interrupted', async () => {
    const { plane, variables } = await startServing(scenario('servers: { p: {} }'));
    const run = startCli(['status', 'greeter'], variables);
    await until(() => plane.stdout.includes('→ LDS [greeter]'), 'the listener is requested');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(run.stdout).toContain('REQUESTED');
    expect(run.stderr).toBe('exit 130: interrupted\n');
  });

  it('prints the reason of the exit code on stderr, except with -q', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    expect((await runCli(['status', 'greeter', '-o', 'json'], variables)).stderr).toBe(
      'exit 79: xds:///greeter fails in part; 1 RECEIVED_ERROR\n',
    );
    expect((await runCli(['status', 'greeter', '-q'], variables)).stderr).toBe('');
    expect((await runCli(['status', 'greeter', '--fail-on', 'none'], variables)).stderr).toBe('');
    const gone = scenario('servers: { p: { serves: [{ type: LDS }] } }');
    const { stderr } = await runCli(['status', 'greeter', '--timeout', '300ms'], await serving(gone));
    expect(stderr).toMatch(
      /^exit (75: timed out waiting for LDS greeter|79: xds:\/\/\/greeter fails; 1 DOES_NOT_EXIST)\n$/,
    );
  });

  it('fits the width of a terminal, with errors below their rows, and is not cut when piped', async () => {
    const variables = await serving(
      scenario(HALF_BROKEN.replaceAll('blue', 'blue-with-a-name-that-is-longer-than-any-terminal-is-wide-enough-for')),
    );
    const narrow = (await runCli(['status', 'greeter', '--color', 'never'], variables, { columns: 60, rows: 24 }))
      .stdout;
    for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    expect(narrow).toMatch(/CDS {3}red +RECEIVED_ERROR\n {6}✗ PERMISSION_DENIED "not for you"\n/);
    expect(narrow).toMatch(/EDS {3}blue-w…de-enough-for +ACKED/);
    const flags = ['status', 'greeter', '--color', 'never', '-o'];
    const whole = /CDS +blue-with-a-name-that-is-longer-than-any-terminal-is-wide-enough-for +(– +)?ACKED/;
    expect((await runCli([...flags, 'table'], variables)).stdout).toMatch(whole);
    expect((await runCli([...flags, 'wide'], variables, { columns: 60, rows: 24 })).stdout).toMatch(whole);
  });

  it('shows on a terminal what it waits for, in one line that is erased', async () => {
    const variables = await serving(scenario(HALF_BROKEN.replace('cluster: red', 'cluster: never')));
    const flags = ['status', 'greeter', '--timeout', '700ms'];
    const { stderr } = await runCli(flags, variables, { columns: 72, rows: 24 });
    const shown = stderr.split('\r\x1b[K');
    expect(shown[0]).toBe('');
    expect(shown).toContainEqual(
      expect.stringMatching(/^waiting \(1 s left\): cluster never: 127\.0\.0\.1:\d+ answered /),
    );
    for (const line of shown.slice(0, -1)) expect(line.length).toBeLessThan(72);
    expect(shown.at(-1)).toBe('exit 75: timed out waiting for CDS never\n');
    const silent = 'exit 75: timed out waiting for CDS never\n';
    expect((await runCli(flags, { ...variables, TERM: 'dumb' }, true)).stderr).toBe(silent);
    expect((await runCli([...flags, '-o', 'ndjson'], variables, true)).stderr).toBe(silent);
    expect((await runCli(flags, variables)).stderr).toBe(silent);
  });

  it('reports all invalid targets before connecting', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    later(() => server.close());
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const variables = {
      GRPC_XDS_BOOTSTRAP_CONFIG: `{"xds_servers":[{"server_uri":"127.0.0.1:${port}","channel_creds":[{"type":"insecure"}]}]}`,
    };
    const { code, stderr } = await runCli(['status', 'greeter', 'xds://nobody/x', 'xds://none/y'], variables);
    expect(code).toBe(79);
    expect(stderr).toContain('xds://nobody/x: gRPC cannot use this target');
    expect(stderr).toContain('xds://none/y: gRPC cannot use this target');
    // Earlier connection attempts would arrive before this one.
    await new Promise<void>((arrived) =>
      connect(port, '127.0.0.1')
        .on('close', () => arrived())
        .resume(),
    );
    expect(connections).toBe(1);
  });

  it('reports invalid targets, bootstraps and flags', async () => {
    const variables = {
      GRPC_XDS_BOOTSTRAP_CONFIG: '{"xds_servers":[{"server_uri":"x","channel_creds":[{"type":"insecure"}]}]}',
    };
    expect(await runCli(['status', 'xds://nobody/x'], variables)).toMatchObject({
      code: 79,
      stderr: expect.stringContaining('authority not found for nobody'),
    });
    expect(await runCli(['status', 'x'], { GRPC_XDS_BOOTSTRAP_CONFIG: '{}' })).toMatchObject({ code: 65 });
    expect(await runCli(['status', 'x'], {})).toMatchObject({ code: 65 });
    expect(await runCli(['status', 'x', '--timeout', 'soon'], variables)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--timeout takes a time such as 500ms'),
    });
  });

  it('prints the same in every format, with the same filters', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const run = (...flags: string[]) => runCli(['status', 'greeter', ...flags], variables);
    expect((await run('-o', 'name')).stdout).toBe('LDS/greeter\nCDS/blue\nCDS/red\nEDS/blue\n');
    expect((await run('-o', 'name', '--type', 'cds')).stdout).toBe('CDS/blue\nCDS/red\n');
    expect((await run('-o', 'name', '--name', '^b')).stdout).toBe('CDS/blue\nEDS/blue\n');
    expect((await run('-o', 'name', '--status', 'RECEIVED_ERROR')).stdout).toBe('CDS/red\n');
    const json = JSON.parse((await run('-o', 'json', '--type', 'CDS', '--name', 'red')).stdout);
    expect(json.scopes[0].resources.map(({ name }: { name: string }) => name)).toEqual(['red']);
    expect((await run('-o', 'yaml', '--name', 'red')).stdout).toMatch(/^schema: xds-inspect\/status\/v1\n/);
    const wide = (await run('-o', 'wide', '--name', 'red')).stdout;
    expect(wide).toMatch(
      /CDS +red +– +RECEIVED_ERROR +\(2\) .* 1 +OnResourceChanged \(A88 draft: OnServerDataError\) +✗ PERMISSION_DENIED "not for you"/,
    );
    expect((await run('-t', '--name', 'blue')).stdout).toMatch(/CDS +blue +ACKED +2 +\d{4}-\d\d-\d\dT[\d:.]+Z +1/);
  });

  it('prints the verdict even if the filters match no resource', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const { stdout, code } = await runCli(['status', 'greeter', '--status', 'NACKED'], variables);
    expect(code).toBe(79);
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}PARTLY {2}.*\n {2}0 of 4 resources listed · 1 RECEIVED_ERROR · /s);
  });

  it('reads flags from the environment, and flags of the command line override them', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(STORY);
    const [{ server_uri: uri }] = JSON.parse(config).xds_servers;
    const server = ['status', 'greeter', '--server', uri];
    expect((await runCli(server, { XDS_INSPECT_PLAINTEXT: '1', XDS_INSPECT_BOOTSTRAP: 'no-such-file' })).code).toBe(0);
    expect(await runCli(server, { XDS_INSPECT_PLAINTEXT: 'perhaps' })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('XDS_INSPECT_PLAINTEXT must be true or false, not "perhaps"'),
    });
  });

  it('exits with 79 for the statuses of --fail-on among the shown resources', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const code = async (...flags: string[]) => (await runCli(['status', 'greeter', ...flags], variables)).code;
    expect(await code()).toBe(79);
    expect(await code('--fail-on', 'none')).toBe(0);
    // The verdict does not depend on --fail-on or filters.
    expect(await code('--fail-on', 'nacked,timeout')).toBe(79);
    expect(await code('--name', 'blue')).toBe(79);
    const healthy = await serving(STORY);
    expect((await runCli(['status', 'greeter'], healthy)).code).toBe(0);
    expect((await runCli(['status', 'greeter', '--fail-on', 'ACKED', '--name', 'blue'], healthy)).code).toBe(79);
  });

  it('prints the metrics of gRPC, the state of the configuration and the number of watchers', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const { scopes } = JSON.parse((await runCli(['status', 'greeter', '-o', 'json'], variables)).stdout);
    const [{ metrics, channels, resources }] = scopes;
    expect(channels).toMatchObject([
      { target: 'xds:///greeter', dataPlaneAuthority: 'greeter', config: 'published', error: null, pending: false },
    ]);
    expect(resources[0]).toMatchObject({ watchers: 1, detail: 'routes inline: 2 routes in 1 virtual host' });
    const cluster = 'envoy.config.cluster.v3.Cluster';
    expect(metrics.connected).toMatchObject([{ value: true }]);
    expect(metrics.resourceUpdatesValid).toContainEqual({
      server: expect.any(String),
      resourceType: cluster,
      value: expect.any(Number),
    });
    expect(metrics.resources).toContainEqual({
      authority: '#old',
      resourceType: cluster,
      cacheState: 'received_error',
      value: 1,
    });
  });

  it('prints requests and responses on stderr with -v', async () => {
    const { stderr, stdout } = await runCli(['status', '-v', '-o', 'name', 'greeter'], await serving(STORY));
    expect(stdout).toBe('LDS/greeter\nRDS/greeter-routes\nCDS/greeter-blue\nEDS/greeter-blue\n');
    expect(stderr).toMatch(/ → LDS \[greeter\]\n/);
    expect(stderr).toMatch(/ ← CDS version 7 nonce \S+: greeter-blue\n/);
  });

  it('connects without a bootstrap with --server', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(STORY);
    const [{ server_uri: uri }] = JSON.parse(config).xds_servers;
    expect(await runCli(['status', '--server', uri, '--plaintext', 'greeter'])).toMatchObject({ code: 0 });
    // The server is plaintext, so TLS fails.
    const { code, stdout } = await runCli(['status', '--server', uri, '--timeout', '3s', 'greeter']);
    expect(code).toBe(69);
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}FAILS {2}127\.0\.0\.1:\d+ does not speak TLS on this port/);
  });

  it('sends the node and the user agent that the flags set', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(STORY);
    const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: config.replace('"node":{', '"node":{"metadata":{"a":"1"},') };
    const node = ['--node-id', 'other', '--node-metadata', 'b=2,c=x=y', '--user-agent', 'me'];
    const { code, stderr } = await runCli(['status', 'greeter', ...node], variables);
    expect(code).toBe(0);
    expect(stderr).toMatch(/using node\.id other instead of \S+\n/);
  });

  it('rejects conflicting and invalid flags', async () => {
    const wrong: [flags: string[], message: string][] = [
      [['--type', 'XDS'], '--type takes LDS, RDS, CDS, EDS, not "XDS" (did you mean "LDS"?)'],
      [['--status', 'ACKED,NACKD'], 'not "NACKD" (did you mean "NACKED"?)'],
      [['--output', 'jsno'], 'not "jsno" (did you mean "json"?)'],
      [['--status', 'GONE'], '--status takes REQUESTED, ACKED'],
      [['--name', '('], '--name: missing ): ('],
      [['--fail-on', 'x'], '--fail-on takes'],
      [['--plaintext'], '--plaintext requires --server'],
      [['--server', 'x', '-b', 'f'], '--server excludes --bootstrap'],
      [['--server', 'http://x:1'], '--server takes host:port or unix:/path, not "http://x:1"'],
      [['--server', 'x:1', '--plaintext', '--cacert', 'f'], '--plaintext cannot be combined with certificates'],
      [['--type', ''], '--type takes LDS, RDS, CDS, EDS, not an empty value'],
      [['--bogus', 'x'], 'unknown flag --bogus'],
      [['--server', 'x:1', '--cert', 'f'], '--cert and --key require each other'],
      [['--server', 'x:1', '--node-metadata', 'k'], '--node-metadata takes k=v'],
    ];
    for (const [flags, message] of wrong) {
      expect(await runCli(['status', 'greeter', ...flags]), flags.join(' ')).toMatchObject({
        code: 64,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    }
  });
});
