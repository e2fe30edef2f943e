import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { listener, STORY, scenario, serving } from '../support/serving.js';

const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-compare-'));
/** A listener that every implementation rejects. */
const BROKEN = scenario(`
resources: { l: ${listener('xff_num_trusted_hops: 1, rds: { route_config_name: x, config_source: { ads: {} } }')} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`);
const UNREACHABLE = ['--server', '127.0.0.1:1', '--plaintext', '--timeout', '20s'];

describe.concurrent('compare', () => {
  it('prints one line for targets that work with every implementation, and a matrix', async () => {
    const { code, stdout, stderr } = await runCli(['compare', 'greeter'], await serving(STORY));
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('xds:///greeter  OK for all 4 implementations');
    expect(lines.find((line) => line.startsWith('TYPE'))?.split(/ +/)).toEqual([
      'TYPE',
      'NAME',
      'c-core',
      'grpc-go',
      'grpc-java',
      'grpc-node',
      'spec',
    ]);
    expect(lines.find((line) => line.startsWith('RPCs'))).toMatch(/xds:\/\/\/greeter +OK +OK +OK +OK +OK$/);
  });

  it('exits with 79 if a required implementation fails', async () => {
    const { code, stderr } = await runCli(
      ['compare', 'greeter', '--require', 'python,grpc-java'],
      await serving(BROKEN),
    );
    expect(code).toBe(79);
    expect(stderr).toMatch(/^exit 79: c-core and grpc-java: /);
  });

  it('names the accepted words if --require has an unknown one', async () => {
    const { code, stderr } = await runCli(['compare', 'greeter', '--require', 'grpc-go,rust']);
    expect(code).toBe(64);
    expect(stderr).toContain(
      '--require takes spec, c-core, grpc-go, grpc-java, grpc-node, grpc-js, grpc-js-xds, cpp, python, ruby, not "rust"',
    );
  });

  it('exits with 69 if no server can be reached', async () => {
    const { code, stdout, stderr } = await runCli(['compare', 'greeter', ...UNREACHABLE]);
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}differs: grpc-node FAILS \(RPCs are queued\), the others FAILS \(UNAVAILABLE\)\n/,
    );
    expect([code, stderr]).toEqual([
      69,
      expect.stringContaining('exit 69: no usable xDS server for c-core, grpc-go, grpc-java and grpc-node'),
    ]);
  });

  it('compares a recording, and fails without a second one', async () => {
    const file = join(folder, 'greeter.xdsrec');
    await runCli(['record', 'greeter', '-f', file, '--for', '500ms', '-q'], await serving(STORY));
    const { code, stdout } = await runCli(['compare', file, '-o', 'json']);
    expect(code).toBe(0);
    const { schema, source, recordedAs, differs, targets } = JSON.parse(stdout);
    expect({ schema, source, recordedAs, differs }).toEqual({
      schema: 'xds-inspect/compare/v1',
      source: file,
      recordedAs: 'spec',
      differs: false,
    });
    expect(targets[0].results['grpc-java']).toEqual({
      verdict: 'ok',
      status: { code: 'OK', message: '' },
      cause: null,
      reason: null,
    });
    const two = await runCli(['compare', file, 'greeter']);
    expect([two.code, two.stderr]).toEqual([64, expect.stringContaining('compare takes targets, or one recording')]);
  });

  it('writes a page with the comparison and the recording of each client', async () => {
    const file = join(folder, 'compare.html');
    await runCli(['compare', 'greeter', '--html', file], await serving(STORY));
    const [, text = ''] = /<script[^>]*id="data"[^>]*>(.*?)<\/script>/s.exec(readFileSync(file, 'utf8')) ?? [];
    const { initial, clients, compare } = JSON.parse(text);
    expect(initial).toEqual({ tab: 'compare' });
    expect(clients.map(({ name }: { name: string }) => name)).toContain('grpc-java: greeter');
    expect(compare.schema).toBe('xds-inspect/compare/v1');
  });

  it('has a JUnit suite per implementation, and skips what is not required', async () => {
    const { stdout } = await runCli(
      ['compare', 'greeter', '--require', 'grpc-go', '-o', 'junit'],
      await serving(BROKEN),
    );
    const suites = [...stdout.matchAll(/<testsuite name="([^"]+)" tests="\d+" failures="(\d+)"/g)];
    expect(suites.map(([, name, failures]) => [name, failures === '0'])).toEqual([
      ['c-core', true],
      ['grpc-go', false],
      ['grpc-java', true],
      ['grpc-node', true],
    ]);
    expect(stdout).toContain('<skipped message="not required, and ');
  });

  it('annotates failures of required implementations as errors, and those of others as warnings', async () => {
    const { stdout } = await runCli(
      ['compare', 'greeter', '--require', 'grpc-go', '-o', 'github'],
      await serving(BROKEN),
    );
    expect(stdout).toMatch(/^::error title=grpc-go%3A xds%3A\/\/\/greeter::/m);
    expect(stdout).toMatch(/^::warning title=grpc-java%3A xds%3A\/\/\/greeter::/m);
  });
});

describe.concurrent('validate --as all', () => {
  const file = join(folder, 'clusters.yaml');
  writeFileSync(file, '{ "@type": CDS, name: blue, type: STATIC }\n');

  it('compares the verdicts of all implementations', async () => {
    const { code, stdout, stderr } = await runCli(['validate', '--as', 'all', file]);
    expect(stdout).toMatch(
      /^no difference in 1 resource\n.*CDS blue: c-core rejects it: type: unknown discovery type\n/,
    );
    expect([code, stderr]).toEqual([79, expect.stringContaining('CDS blue is rejected')]);
  });

  it('needs --as all for --require', async () => {
    const { code, stderr } = await runCli(['validate', '--require', 'grpc-go', file]);
    expect([code, stderr]).toEqual([64, expect.stringContaining('--require requires --as all')]);
  });
});
