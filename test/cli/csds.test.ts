import { createServer as createHttpServer } from 'node:http';
import { cpuUsage } from 'node:process';
import { type Metadata, type MetadataValue, Server, ServerCredentials } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import type { Status } from '../../src/base/status.js';
import { FETCH_METHOD } from '../../src/csds/methods.js';
import { serveCsds } from '../../src/io/csds-server.js';
import { ClientStatusRequest } from '../../src/proto/generated/envoy.service.status.v3.js';
import { decode } from '../../src/proto/message-type.js';
import { bytesOf, dumpBytes, dumpJson } from '../csds/dumps.js';
import { filesOf, TestAuthority } from '../support/certificates.js';
import { runCli, startCli, until } from '../support/cli.js';
import {
  CLOSED,
  framed,
  GRPC_HEADERS,
  http2Peer,
  LiveServer,
  listening,
  type Peer,
  secretResponse,
  tcpPeer,
} from '../support/live-server.js';
import { HALF_BROKEN, later, STORY, scenario, serving } from '../support/serving.js';

/** A process that sends the same CSDS response to every request. */
async function process(
  response: Uint8Array | Status | ((request: Uint8Array) => Uint8Array | Status),
): Promise<string> {
  const server = await serveCsds('127.0.0.1', 0, typeof response === 'function' ? response : () => response);
  later(() => server.close());
  return server.address;
}

const csds = (...args: string[]) => runCli(['csds', '--plaintext', ...args]);

async function peer(made: Promise<Peer>): Promise<string> {
  const { uri, close } = await made;
  later(close);
  return uri;
}

/** Runs `watch` with a CSDS port. */
async function watching(
  source: string,
  ...flags: string[]
): Promise<{ address: string; run: ReturnType<typeof startCli> }> {
  const run = startCli(['watch', 'greeter', '-o', 'ndjson', '--csds-port', '0', ...flags], await serving(source));
  later(run.interrupt);
  await until(() => run.stderr.includes('CSDS on '), 'CSDS is served');
  const address = /CSDS on (\S+)/.exec(run.stderr)?.[1] as string;
  expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
  await until(() => run.stdout.includes('"kind":"config"'), 'a configuration is published');
  return { address, run };
}

describe.concurrent('csds', () => {
  it('reads xds-inspect itself, with the same resources in every view', async () => {
    const { address } = await watching(scenario(HALF_BROKEN));
    const { code, stdout } = await csds(address);
    expect(code).toBe(79);
    const line1 = `${address} / xds:///greeter  PARTLY  1 of 2 routes fails: prefix /a → cluster red: an error "not for you"\n`;
    expect(stdout.startsWith(line1), stdout).toBe(true);
    expect(stdout).toContain('\n  4 resources · 1 RECEIVED_ERROR · node ');
    expect(stdout).toMatch(/^CDS +red .* ✗ error "not for you"$/m);
    // The process is a running client.
    expect(stdout).not.toContain('connected earlier');
    const rows = stdout.split('\n').filter((line) => /^[LRCE]DS/.test(line));
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4).join(' '))).toEqual([
      'CDS red RECEIVED_ERROR (2)',
      'LDS greeter ACKED 1',
      'CDS blue ACKED 2',
      'EDS blue ACKED 1',
    ]);
    const tree = await csds(address, '--view', 'config');
    expect(tree.code).toBe(79);
    expect(tree.stdout.startsWith(line1), tree.stdout).toBe(true);
    expect(tree.stdout).toContain('CDS resource red: not for you');
    const bad = await csds(address, '--view', 'explain', '--method', '/a/b');
    expect(bad.code).toBe(79);
    expect(bad.stdout).toContain('CDS resource red: not for you');
    const good = await csds(address, '--view', 'explain', '--method', '/x/y', '-o', 'json');
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ schema: 'xds-inspect/explain/v1', address, outcome: 'ok' });
  });

  it('prints the exact response with -o csds, without filtered resources', async () => {
    for (const name of ['c-core', 'per-type', 'none', 'scopes']) {
      const { stdout } = await csds(await process(dumpBytes(name)), '-o', 'csds');
      expect(JSON.parse(stdout)).toEqual(dumpJson(name));
    }
    const lean = JSON.parse(
      (await csds(await process(dumpBytes('per-type')), '-o', 'csds', '--name', '^(blue|own)$')).stdout,
    );
    const [config] = lean.config;
    expect(config.xdsConfig[0].listenerConfig).toMatchObject({ staticListeners: [], dynamicListeners: [] });
    expect(config.xdsConfig[1].routeConfig.staticRouteConfigs).toHaveLength(1);
    expect(config.xdsConfig[2].clusterConfig.dynamicActiveClusters).toHaveLength(1);
    expect(config.xdsConfig[2].clusterConfig.dynamicWarmingClusters).toHaveLength(0);
  });

  it('keeps unknown types, and redacts secrets without --show-secrets', async () => {
    const address = await process(dumpBytes('unknown-types'));
    const { stdout, code } = await csds(address);
    expect(code).toBe(0);
    expect(stdout).toMatch(/type\.googleapis\.com\/made\.up\.v1\.Thing +thing +ACKED +6/);
    const { scopes } = JSON.parse((await csds(address, '-o', 'json')).stdout);
    const contents = scopes[0].resources.map((one: { contents: unknown }) => one.contents);
    expect(contents[2]).toEqual({
      '@type': 'type.googleapis.com/made.up.v1.Thing',
      '@error': 'type not known',
      '@value': 'CgVoZWxsbw==',
    });
    expect(JSON.stringify(contents[1])).toContain('[redacted]');
    expect((await csds(address, '-o', 'csds', '--show-secrets')).stdout).toContain('hush');
  });

  it('prints the clients of a control plane, and requests one of them with --node-match', async () => {
    let received: ClientStatusRequest | undefined;
    const address = await process((request) => {
      const decoded = decode(ClientStatusRequest, request);
      received = decoded.ok ? decoded.value : undefined;
      return dumpBytes('control-plane');
    });
    const { code, stdout } = await csds(address, '--node-match', 'a', '--node-match', 'b', '-o', 'wide');
    expect(received?.nodeMatchers.map(({ nodeId }) => nodeId?.matchPattern)).toEqual([
      { kind: 'exact', value: 'a' },
      { kind: 'exact', value: 'b' },
    ]);
    expect(code).toBe(79);
    expect(stdout).toContain(
      `${address} / xds:///0.0.0.0_15006  UNKNOWN  gRPC (C-core) would reject some of its resources\n  4 resources · 1 ERROR · 1 STALE · 1 NOT_SENT`,
    );
    expect(stdout).toContain(
      `\n${address} / (no client_scope)  UNKNOWN  it has no listener, so its targets are unknown\n  1 resource · `,
    );
    expect(stdout).toMatch(/^TYPE +NAME +AUTHORITY +STATUS +VERSION +AGE +SYNC +CALLBACKS +DETAIL$/m);
    expect((await csds(address, '--fail-on', 'NACKED')).code).toBe(0);
    expect((await csds(address, '--fail-on', 'STALE')).code).toBe(79);
    expect((await csds(address, '--status', 'STALE', '-o', 'name')).stdout).toBe('CDS/c\n');
  });

  it('reports targets that cannot be followed, with the reason', async () => {
    const { code, stderr } = await csds(await process(dumpBytes('without-contents')), '--view', 'config');
    expect(code).toBe(79);
    expect(stderr).toContain('/ xds:///greeter: cannot be resolved: CSDS does not show the contents of its resources');
    const envoy = await csds(await process(dumpBytes('control-plane')), '--view', 'explain');
    expect(envoy.stderr).toContain(': cannot be resolved: gRPC (C-core) would reject some of its resources');
    expect(envoy.stderr).toContain('no target can be resolved: it has no listener');
  });

  it('reports that a process has no xDS client', async () => {
    const { code, stdout, stderr } = await csds(await process(dumpBytes('none')));
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/: no xDS client runs in this process\n$/);
  });

  it.sequential('reads ten thousand resources quickly', async () => {
    const one = (dumpJson('c-core') as { config: { genericXdsConfigs: object[] }[] }).config[0]?.genericXdsConfigs[2];
    const { Problems } = await import('../../src/base/problem.js');
    const { xdsCatalogue } = await import('../../src/proto/json/catalogue.js');
    const { parseMessage } = await import('../../src/proto/json/parse.js');
    const genericXdsConfigs = Array.from({ length: 10_000 }, (_, i) => ({ ...one, name: `eds-${i}` }));
    const json = { config: [{ genericXdsConfigs }] };
    const type = 'envoy.service.status.v3.ClientStatusResponse';
    const bytes = parseMessage(xdsCatalogue, type, json, new Problems()) as Uint8Array;
    const address = await process(bytes);
    const begin = cpuUsage();
    const { stdout } = await csds(address);
    expect(stdout.split('\n').length).toBeGreaterThan(10_000);
    expect(cpuUsage(begin).user / 1000).toBeLessThan(5000);
  });
});

describe.concurrent('csds of real applications', () => {
  it('does not guess why a resource is missing', async () => {
    const rowOf = async (name: string): Promise<string | undefined> =>
      (await csds(await process(dumpBytes(`live/${name}`)))).stdout.split('\n').find((row) => /^LDS +gone/.test(row));
    expect(await rowOf('c-core')).toMatch(/DOES_NOT_EXIST +\(2\) .* ✗ deleted: the last response omits it$/);
    for (const name of ['go', 'java', 'node'])
      expect(await rowOf(name)).toMatch(/DOES_NOT_EXIST +– +– +✗ not received in time, or omitted from a response$/);
  });

  it('prints a message of grpc-go without escaping its random spaces', async () => {
    const { stdout } = await csds(await process(dumpBytes('live/go')));
    expect(stdout).toContain('in response: name:"kept" type:STATIC eds_cluster_config:');
    expect(stdout).not.toContain('\\u{20}');
  });

  it('prints what each target waits for, even if one client has all targets', async () => {
    for (const name of ['c-core', 'go', 'java', 'node']) {
      const { stdout } = await csds(await process(dumpBytes(`live/${name}`)), '--view', 'explain', '-o', 'json');
      const views = JSON.parse(stdout) as { target: string; hints: string[] }[];
      const hints = (target: string): string[] | undefined => views.find((one) => one.target === target)?.hints;
      expect(hints('xds:///lonely')).toEqual(['The control plane has not sent EDS "two" yet.']);
      expect(hints('xds:///ghost')).toEqual(['The control plane has not sent LDS "ghost" yet.']);
    }
  });

  it.each(['status', 'config', 'explain'])('exits with 75 in the view %s while RPCs are queued', async (view) => {
    const { code } = await csds(await process(dumpBytes('live/c-core')), '--view', view);
    expect(code).toBe(75);
  });

  it('reports that a target needs a resource without a subscription', async () => {
    const dump = dumpJson('live/c-core') as {
      config: { clientScope: string; genericXdsConfigs: { name: string }[] }[];
    };
    const config = dump.config.filter(({ clientScope }) => /greeter|cart/.test(clientScope));
    for (const one of config)
      one.genericXdsConfigs = one.genericXdsConfigs.filter(({ name }) => name !== 'cart-routes' && name !== 'refused');
    const address = await process(bytesOf({ config }));
    const { code, stdout, stderr } = await csds(address, '--view', 'explain');
    expect(stdout).toContain('/ xds:///greeter  OK  every route finds a usable endpoint');
    expect(stderr).toContain(
      '/ xds:///cart: cannot be resolved: it needs RDS "cart-routes", which is not among its resources',
    );
    expect(code).toBe(79);
  });

  it('explains the CSDS error of grpc-java', async () => {
    const { code, stderr } = await csds(await process({ code: 2, message: 'Application error processing RPC' }));
    expect([code, stderr]).toEqual([69, expect.stringContaining('a name whose authority is not in the bootstrap')]);
  });

  it('has the verdict UNKNOWN for a client without resources', async () => {
    const { stdout } = await csds(await process(bytesOf({ config: [{ clientScope: 'xds://nowhere/greeter' }] })));
    expect(stdout).toContain('/ xds://nowhere/greeter  UNKNOWN  it has no resources\n  0 resources\n');
  });
});

describe.concurrent('csds --view check', () => {
  it('evaluates the expectations of a file', async () => {
    const address = await process(dumpBytes('c-core'));
    const file = scenario(`
targets:
  - target: greeter
    settled_within: 5s
    resources: { LDS/greeter: ACKED, CDS/blue: NACKED, EDS/blue: { endpoints: { total: 1 } }, CDS/red: ACKED }
    rpcs: [/a.B/C]
`);
    const { code, stdout } = await csds(address, '--view', 'check', '--expectations', file, '-o', 'json');
    expect(code).toBe(79);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ schema: 'xds-inspect/check/v1', failed: 1 });
    const failed = report.expectations.filter(({ ok }: { ok: boolean }) => !ok);
    expect(failed).toMatchObject([{ name: expect.stringContaining('CDS/red'), target: `${address} / greeter` }]);
    expect(report.remark).toBe('not evaluated, since CSDS does not show it: 2 expectations about time or the wire');
  });

  it('does not evaluate the code of a reported error, which CSDS does not contain', async () => {
    const { address } = await watching(scenario(HALF_BROKEN));
    const check = async (error: string) => {
      const file = scenario(
        `targets: [{ target: greeter, verdict: partly, resources: { CDS/red: { error: ${error} } }, findings: { forbid: [] } }]`,
      );
      const { code, stdout } = await csds(address, '--view', 'check', '--expectations', file, '-o', 'json');
      const { failed, remark } = JSON.parse(stdout);
      return { code, failed, remark };
    };
    const remark = 'not evaluated, since CSDS does not show it: 1 expectation about an error code';
    expect(await check('PERMISSION_DENIED')).toEqual({ code: 0, failed: 0, remark });
    expect(await check('{ code: NOT_FOUND, message: not for you }')).toEqual({ code: 0, failed: 0, remark });
    // The message differs, so the code does not matter.
    expect(await check('{ code: NOT_FOUND, message: other }')).toMatchObject({ code: 79, failed: 1 });
  });

  it('reports that a process has no client for a target', async () => {
    const file = scenario('targets: [xds:///cart]');
    const { code, stdout } = await csds(await process(dumpBytes('c-core')), '--view', 'check', '--expectations', file);
    expect(code).toBe(79);
    expect(stdout).toContain('no client of this process has this target, or CSDS does not show it');
  });
});

describe.concurrent('csds with an unusable address', () => {
  const cases: [what: string, address: () => Promise<string>, says: RegExp][] = [
    ['no server', async () => CLOSED, /nothing listens there.* \(UNAVAILABLE: .*ECONNREFUSED/],
    [
      'a gRPC server without the service',
      async () => {
        const server = await LiveServer.start(() => {});
        later(() => server.close());
        return server.uri;
      },
      /it has no CSDS service \(UNIMPLEMENTED: .*AddAdminServices.*admin\.Register.*add_admin_servicers/,
    ],
    [
      'a web server',
      () => peer(listening(createHttpServer((_, res) => res.end('hi')))),
      /it does not speak gRPC on this port/,
    ],
    [
      'an HTTP/2 server without gRPC',
      () =>
        peer(
          http2Peer((stream) => {
            stream.respond({ ':status': 404, 'content-type': 'text/html' });
            stream.end('no');
          }),
        ),
      /it does not speak gRPC on this port .*404/,
    ],
    ['a peer that closes connections', () => peer(tcpPeer((socket) => socket.end())), /it closed the connection/],
    [
      'a response that is not a ClientStatusResponse',
      () =>
        peer(
          http2Peer((stream) => {
            stream.respond(GRPC_HEADERS, { waitForTrailers: true });
            stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
            stream.end(framed(new Uint8Array([0x0a, 0x7f, 1])));
          }),
        ),
      /the response is malformed: length reaches past the end of the message/,
    ],
    ['an error', () => process({ code: 7, message: 'not you' }), /PERMISSION_DENIED: not you/],
  ];
  for (const [what, address, says] of cases) {
    it(`exits with 69 and a message: ${what}`, async () => {
      const where = await address();
      const { code, stdout, stderr } = await csds(where);
      expect(stderr).toMatch(says);
      expect(stderr.startsWith(`xds-inspect: ${where}: `)).toBe(true);
      expect([code, stdout]).toEqual([69, '']);
    });
  }

  it('prints the readable part of a truncated response', async () => {
    const whole = dumpBytes('scopes');
    const { code, stdout, stderr } = await csds(await process(whole.subarray(0, whole.length - 3)), '-o', 'json');
    expect(code).toBe(69);
    expect(JSON.parse(stdout).scopes).toHaveLength(6);
    expect(stderr).toContain('the response is malformed');
  });

  it('reports that applications do not support --node-match', async () => {
    const { address } = await watching(STORY);
    const { code, stderr } = await csds(address, '--node-match', 'a');
    expect(code).toBe(69);
    expect(stderr).toContain('it does not support --node-match (INVALID_ARGUMENT: node_matchers are not supported');
  });

  // Measures real time.
  it.sequential('does not wait for dead and silent addresses before printing others', async () => {
    const silent = await peer(tcpPeer((socket) => socket.resume()));
    const dead = CLOSED;
    const alive = await process(dumpBytes('c-core'));
    const run = startCli(['csds', '--plaintext', '--connect-timeout', '3s', silent, dead, alive]);
    await until(() => run.stdout.includes('/ xds:///greeter'), 'the responding process is printed');
    expect(run.stderr).not.toContain(silent);
    expect(await run.done).toBe(69);
    expect(run.stderr).toContain(`${silent}: DEADLINE_EXCEEDED: no connection within 3000 ms`);
    expect(run.stderr).toContain(`${dead}: nothing listens there`);
  });

  it('prints the received responses when interrupted', async () => {
    const silent = await peer(tcpPeer((socket) => socket.resume()));
    const alive = await process(dumpBytes('c-core'));
    const run = startCli(['csds', '--plaintext', silent, alive]);
    await until(() => run.stdout.includes('/ xds:///greeter'), 'the responding process is printed');
    run.interrupt();
    expect(await run.done).toBe(130);
  });
});

describe.concurrent('csds over TLS', () => {
  it('verifies the server, and authenticates with a client certificate', async () => {
    const authority = await TestAuthority.create('ca');
    const { certificate, key } = await authority.issue({ names: ['app.example'] });
    const client = await authority.issue();
    const files = filesOf({ ca: authority.pem, cert: client.certificate, key: client.key });
    const server = new Server();
    const tokens: MetadataValue[] = [];
    const bytes = Buffer.from(dumpBytes('c-core'));
    const same = (value: Buffer): Buffer => value;
    const plain = {
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    };
    server.addService(
      { fetch: { path: FETCH_METHOD, requestStream: false, responseStream: false, ...plain } },
      {
        fetch: ({ metadata }: { metadata: Metadata }, reply: (error: null, value: Buffer) => void) => {
          tokens.push(...metadata.get('authorization'));
          reply(null, bytes);
        },
      },
    );
    const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) };
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(
        '127.0.0.1:0',
        ServerCredentials.createSsl(Buffer.from(authority.pem), [pair], true),
        (error, got) => (error === null ? resolve(got) : reject(error)),
      ),
    );
    later(() => server.forceShutdown());
    const address = `127.0.0.1:${port}`;
    const identity = ['--cert', files.cert, '--key', files.key];
    const run = (...flags: string[]) => runCli(['csds', address, '--fail-on', 'none', ...flags]);
    expect(await run('--cacert', files.ca, '--authority', 'app.example', ...identity)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const warned = { code: 0, stderr: 'warning: certificates are not verified (--insecure)\n' };
    expect(await run('--insecure', ...identity)).toMatchObject(warned);
    expect(tokens).toEqual([]);
    const { token } = filesOf({ token: 'a.b.c\n' });
    expect(await run('--insecure', ...identity, '--token-file', token)).toMatchObject(warned);
    expect(tokens).toEqual(['Bearer a.b.c']);
    expect((await run('--insecure', '--token-file', '/nowhere')).code).toBe(65);
    expect(await runCli(['csds', address, '--plaintext', '--token-file', token])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--plaintext excludes --token-file'),
    });
    expect((await run(...identity)).stderr).toContain(
      'signed by a CA that is not trusted here: set the CA with --cacert',
    );
    expect((await run('--cacert', files.ca, ...identity)).stderr).toContain('set --authority to one of them');
    expect((await run('--plaintext')).stderr).toContain('check that it speaks gRPC on this port without TLS');
    const open = await process(dumpBytes('none'));
    expect((await runCli(['csds', open])).stderr).toContain('it does not speak TLS on this port: try --plaintext');
  });
});

describe.concurrent('csds --watch', () => {
  it('prints changes line by line', async () => {
    let response: Uint8Array | Status = dumpBytes('go');
    const run = startCli(['csds', '--plaintext', await process(() => response), '--watch', '--interval', '20ms']);
    later(run.interrupt);
    await until(() => run.stdout.includes('RDS routes  DOES_NOT_EXIST'), 'the first response is printed');
    const first = run.stdout;
    response = { code: 14, message: 'away' };
    await until(() => run.stderr.includes('UNAVAILABLE: away'), 'the failure is printed');
    response = dumpBytes('java');
    await until(() => run.stdout.includes('DOES_NOT_EXIST → NACKED 1 (2): '), 'the change is printed');
    response = dumpBytes('unknown-types');
    await until(() => run.stdout.includes('RDS routes  removed'), 'the removal is printed');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(first.split('\n').filter((line) => line.includes('LDS greeter'))).toHaveLength(1);
  });

  it('prints one event per line with -o ndjson, and ends after --for', async () => {
    const address = await process(dumpBytes('c-core'));
    const { code, stdout } = await csds(address, '--watch', '--interval', '50ms', '--for', '300ms', '-o', 'ndjson');
    expect(code).toBe(79);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toHaveLength(9);
    expect(events[0]).toMatchObject({
      kind: 'resource',
      change: 'added',
      address,
      scope: 'xds:///greeter',
      type: 'LDS',
    });
  });

  it('prints the document again after a change', async () => {
    let response = dumpBytes('go');
    const run = startCli([
      'csds',
      '--plaintext',
      await process(() => response),
      '-w',
      '--interval',
      '20ms',
      '-o',
      'csds',
    ]);
    later(run.interrupt);
    await until(() => run.stdout.includes('}\n'), 'the first document');
    expect(JSON.parse(run.stdout)).toMatchObject({ config: [{ clientScope: 'xds:///greeter' }] });
    response = dumpBytes('none');
    await until(() => run.stdout.endsWith('{}\n'), 'the second document');
  });

  it('draws a table on a terminal', async () => {
    const address = await process(dumpBytes('without-contents'));
    const run = startCli(['csds', '--plaintext', address, '-w', '--interval', '20ms'], {}, true);
    later(run.interrupt);
    await until(() => run.stdout.includes('RDS   routes'), 'the table is drawn');
    expect(run.stdout.startsWith('\x1b[?1049h')).toBe(true);
    run.interrupt();
    await run.done;
    expect(run.stdout).toContain('\x1b[?1049l');
  });
});

describe.concurrent('csds usage errors', () => {
  const cases: [args: string[], says: string][] = [
    [['localhost'], 'invalid address "localhost": use host:port or unix:/path'],
    [['a:1', '--plaintext', '--cacert', 'x'], '--plaintext excludes --cacert'],
    [['a:1', '--cert', 'x'], '--cert and --key require each other'],
    [['a:1', '-o', 'tree'], '--view status takes -o table, wide, json, yaml, name, ndjson, csds, html, not tree'],
    [['a:1', '--view', 'explain', '-o', 'csds'], '--view explain takes -o text, json, yaml, html, not csds'],
    [['a:1', '-o', 'ndjson'], '-o ndjson requires --watch'],
    [['a:1', '--for', '1s'], '--for requires --watch'],
    [['a:1', '--watch', '--interval', '0s'], '--interval must be longer than 0s'],
    [['a:1', '--status', 'FINE'], '--status takes '],
    [['a:1', '--view', 'check'], '--view check requires --expectations FILE'],
    [['a:1', '--expectations', 'x'], '--expectations requires --view check'],
    [['a:1', '--view', 'explain', '--method', 'x'], '--method takes /package.Service/Method'],
  ];
  for (const [args, says] of cases) {
    it(`exit with 64: ${args.join(' ')}`, async () => {
      const { code, stderr } = await runCli(['csds', ...args]);
      expect(stderr).toContain(says);
      expect(code).toBe(64);
    });
  }

  it('exit with 65 for an unreadable certificate', async () => {
    const { code, stderr } = await runCli(['csds', 'localhost:1', '--cacert', '/nowhere.pem']);
    expect(code).toBe(65);
    expect(stderr).toContain('cannot set up the connection to localhost:1: ENOENT');
  });
});

/** The CSDS state of a process, by resource name. */
async function statesOf(address: string): Promise<{ scope: string; node: string; states: Record<string, unknown> }[]> {
  const { stdout } = await csds(address, '-o', 'csds');
  type Config = { name: string; clientStatus: string; versionInfo?: string; errorState?: { details: string } };
  return JSON.parse(stdout).config.map(
    (one: { clientScope?: string; node: { id: string }; genericXdsConfigs?: Config[] }) => ({
      scope: one.clientScope ?? '',
      node: one.node.id,
      states: Object.fromEntries(
        (one.genericXdsConfigs ?? []).map(({ name, clientStatus, versionInfo, errorState }) => [
          name,
          [clientStatus, versionInfo ?? errorState?.details ?? ''].join(' '),
        ]),
      ),
    }),
  );
}

/** The CSDS address of a command. */
async function servedBy(run: ReturnType<typeof startCli>): Promise<string> {
  later(run.interrupt);
  await until(() => run.stderr.includes('CSDS on '), 'CSDS is served');
  return /CSDS on (\S+)/.exec(run.stderr)?.[1] as string;
}

describe.concurrent('--csds-port', () => {
  it('serves the resources of get, without a client_scope', async () => {
    const text = HALF_BROKEN.replace('servers:', '  bad: { "@type": CDS, name: bad, lb_policy: MAGLEV }\nservers:');
    const variables = await serving(scenario(text.replace('resources: [b]', 'resources: [b, bad]')));
    const flags = ['blue', 'bad', 'red', 'gone', '--watch', '-o', 'name', '--csds-port', '0', '--node-id', 'me'];
    const run = startCli(['get', 'cds', ...flags], variables);
    const address = await servedBy(run);
    await until(() => run.stdout.includes('blue'), 'a resource is printed');
    expect(await statesOf(address)).toEqual([
      {
        scope: '',
        node: 'me',
        states: {
          blue: 'ACKED 2',
          bad: expect.stringContaining('NACKED lb_policy: '),
          red: 'RECEIVED_ERROR not for you',
          gone: 'DOES_NOT_EXIST ',
        },
      },
    ]);
    const { stdout } = await csds(address);
    expect(stdout).toMatch(/CDS +blue +ACKED +2 /);
  });

  it('serves requested and rejected resources of get', async () => {
    const variables = await serving(STORY);
    const flags = ['greeter-blue', 'nobody', '--watch', '-o', 'name', '--nack', 'no thanks', '--csds-port', '0'];
    const run = startCli(['get', 'eds', ...flags], variables);
    const address = await servedBy(run);
    await until(() => run.stdout.includes('greeter-blue'), 'a resource is printed');
    expect((await statesOf(address))[0]?.states).toEqual({ 'greeter-blue': 'NACKED no thanks', nobody: 'REQUESTED ' });
  });

  it('serves secrets redacted, as get prints them', async () => {
    const key = 'nobody-may-see-this-key';
    const server = await LiveServer.start((_, call) => call.write(secretResponse(key)));
    later(() => server.close());
    const connecting = ['--server', server.uri, '--plaintext', '--watch', '-o', 'name', '--csds-port', '0'];
    const contents = async (...flags: string[]): Promise<string> => {
      const run = startCli(['get', 'sds', 'cert', ...connecting, ...flags]);
      const address = await servedBy(run);
      await until(() => run.stdout.includes('cert'), 'the secret is printed');
      return (await csds(address, '-o', 'csds', '--show-secrets')).stdout;
    };
    expect(await contents()).not.toContain(key);
    expect(await contents('--show-secrets')).toContain(key);
  });

  it('serves all clients of a check, each with its node', async () => {
    const variables = await serving(STORY);
    const target = 'target: greeter, ready: true, observe: 60s';
    const path = scenario(`targets: [{ ${target} }, { ${target}, node_id: other }]`);
    const run = startCli(['check', path, '--csds-port', '0'], variables);
    const address = await servedBy(run);
    let clients: Awaited<ReturnType<typeof statesOf>> = [];
    for (const end = Date.now() + 8000; Date.now() < end; ) {
      clients = await statesOf(address);
      if (clients.every(({ states }) => states['greeter-blue'] !== undefined)) break;
    }
    expect(clients.map(({ scope }) => scope)).toEqual(['xds:///greeter', 'xds:///greeter']);
    expect(clients.map(({ node }) => node)).toEqual([expect.any(String), 'other']);
    expect(clients[0]?.states.greeter).toMatch(/^ACKED/);
    run.interrupt();
    expect(await run.done).toBe(130);
    const after = await csds(address);
    expect(after.code).toBe(69);
  });

  it('serves the state of status, and rejects invalid ports', async () => {
    const variables = await serving(STORY);
    const taken = await peer(tcpPeer(() => {}));
    const port = taken.slice(taken.indexOf(':') + 1);
    const busy = await runCli(['status', 'greeter', '--csds-port', port], variables);
    expect(busy.code).toBe(69);
    expect(busy.stderr).toContain(`port ${port} on 127.0.0.1 is already in use`);
    expect(busy.stderr).toContain('choose another with --csds-port');
    const bad = await runCli(['status', 'greeter', '--csds-port', 'here'], variables);
    expect([bad.code, bad.stderr]).toEqual([64, 'xds-inspect: --csds-port takes a port, or host:port, not "here"\n']);
    const everywhere = await runCli(['status', 'greeter', '--csds-port', '0.0.0.0:0'], variables);
    expect(everywhere.code).toBe(0);
    expect(everywhere.stderr).toMatch(/^CSDS on 0\.0\.0\.0:\d+\n/);
  });

  it('formats scopes and the node as C-core does with --as c-core, and ignores requests', async () => {
    const { address } = await watching(STORY, '--as', 'c-core');
    const { code, stdout } = await csds(address, '--node-match', 'x', '-o', 'csds');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).config).toMatchObject([
      { clientScope: 'xds:/greeter', node: { clientFeatures: ['envoy.lb.does_not_support_overprovisioning'] } },
    ]);
  });
});

describe.concurrent('status -o csds', () => {
  it('prints the CSDS response, with filters applied', async () => {
    const variables = await serving(STORY);
    const { code, stdout } = await runCli(['status', 'greeter', '-o', 'csds', '--type', 'LDS,CDS'], variables);
    expect(code).toBe(0);
    const response = JSON.parse(stdout);
    expect(response.config).toHaveLength(1);
    expect(response.config[0]).toMatchObject({
      clientScope: 'xds:///greeter',
      node: { userAgentName: 'xds-inspect' },
      genericXdsConfigs: [
        { name: 'greeter', versionInfo: '7', clientStatus: 'ACKED', xdsConfig: { name: 'greeter' } },
        { name: 'greeter-blue', clientStatus: 'ACKED' },
      ],
    });
  });
});
