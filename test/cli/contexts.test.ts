import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli, until } from '../support/cli.js';
import { later, STORY, serving } from '../support/serving.js';

interface Plane {
  file: string;
  folder: string;
  /** The address of the control plane. */
  address: string;
  /** Names the configuration file, and a bootstrap that no test may use. */
  variables: Record<string, string>;
}

let plane: Promise<Plane> | undefined;

/** The control plane of the contexts `boot` and `direct`, which all tests share. */
function served(): Promise<Plane> {
  plane ??= servePlane();
  return plane;
}

async function servePlane(): Promise<Plane> {
  const variables = await serving(STORY);
  const folder = temporaryFolder();
  const file = join(folder, 'config.yaml');
  const bootstrap = JSON.parse(variables.GRPC_XDS_BOOTSTRAP_CONFIG);
  const address = bootstrap.xds_servers[0].server_uri;
  mkdirSync(join(folder, 'prod'));
  writeFileSync(join(folder, 'prod/bootstrap.json'), variables.GRPC_XDS_BOOTSTRAP_CONFIG);
  writeFileSync(
    file,
    `contexts:
  boot: { bootstrap: prod/bootstrap.json, targets: [greeter], node_id: from-context, node_metadata: { zone: a } }
  direct: { server: "${address}", plaintext: true, as: c-core }
  apps: { csds: { addresses: ["127.0.0.1:1"], plaintext: true } }
`,
  );
  return { file, folder, address, variables: { XDS_INSPECT_CONFIG: file, GRPC_XDS_BOOTSTRAP: '/no/such/file' } };
}

const json = async (argv: string[], variables: Record<string, string>) => {
  const { code, stdout, stderr } = await runCli([...argv, '-o', 'json'], variables);
  return { code, stderr, document: stdout === '' ? undefined : JSON.parse(stdout) };
};

describe.concurrent('--context', () => {
  it('connects to the control plane of the context as its node, and reports its targets', async () => {
    const { file, variables } = await served();
    const { code, document, stderr } = await json(['--context', 'boot'], variables);
    expect([code, stderr]).toEqual([0, 'using node.id from-context instead of demo-node\n']);
    expect(document).toMatchObject({ bootstrap: `context boot (${file})`, node: 'from-context', as: 'spec' });
    expect(document.scopes.map(({ scope }: { scope: string }) => scope)).toEqual(['xds:///greeter']);
  });

  it('uses targets and flags of the command line first', async () => {
    const { file, variables } = await served();
    const flags = ['--node-id', 'mine', '--as', 'grpc-go'];
    const { document } = await json(['status', '--context', 'boot', ...flags, 'xds:///greeter'], variables);
    expect(document).toMatchObject({ bootstrap: `context boot (${file})`, node: 'mine', as: 'grpc-go' });
  });

  it('connects to a server without a bootstrap, as the implementation of the context', async () => {
    const { file, variables } = await served();
    const { code, document } = await json(['status', '--context', 'direct', 'greeter'], variables);
    expect(code).toBe(0);
    expect(document).toMatchObject({ bootstrap: `context direct (${file})`, as: 'c-core' });
  });

  it.each<[command: string, argv: string[], shows: string]>([
    ['config', [], 'greeter-blue'],
    ['explain', [], 'xds:///greeter'],
    ['wait', [], 'xds:///greeter'],
    ['tears', ['--for', '1s'], 'xds:///greeter'],
    ['watch', ['--for', '1s'], 'greeter'],
    ['compare', [], 'OK for all 4 implementations'],
    ['get', ['listeners', '-o', 'name'], 'greeter'],
    ['bootstrap resolve', ['xds:///greeter'], 'listener    greeter'],
    ['bootstrap validate', [], 'prod/bootstrap.json'],
  ])('selects the control plane of %s', async (command, argv, shows) => {
    const { variables } = await served();
    const { code, stdout, stderr } = await runCli([...command.split(' '), '--context', 'boot', ...argv], variables);
    // An observation may end before everything has arrived.
    expect(argv.includes('--for') && code === 75 ? 0 : code).toBe(0);
    expect(stderr).not.toContain('xds-inspect:');
    expect(stdout).toContain(shows);
  });

  it('selects the control plane of record', async () => {
    const { folder, variables } = await served();
    const path = join(folder, 'r.xdsrec');
    const { stderr } = await runCli(['record', '--context', 'boot', '-f', path, '--for', '1s'], variables);
    expect(stderr).not.toContain('xds-inspect:');
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0] as string).source).toContain('context boot (');
  });

  it('of a check is used for targets without a bootstrap of their own', async () => {
    const { folder, variables } = await served();
    const expectations = join(folder, 'expectations.yaml');
    writeFileSync(expectations, 'bootstrap: no-such-file.json\ntargets: [greeter]\n');
    const { code, stderr } = await runCli(['check', expectations, '--context', 'boot'], variables);
    expect([code, stderr]).toEqual([0, 'using node.id from-context instead of demo-node\n']);
    const own = join(folder, 'own.yaml');
    writeFileSync(own, 'targets: [{ target: greeter, bootstrap: prod/bootstrap.json }]\n');
    expect((await runCli(['check', own, '--context', 'direct'], variables)).code).toBe(0);
  });

  it('is repeated in suggested commands, without the settings that it gives', async () => {
    const { variables } = await served();
    const { stdout } = await runCli(['--context', 'direct', 'no-such-target'], variables);
    expect(stdout).toMatch(/xds-inspect get --context direct listeners/);
    expect(stdout).not.toMatch(/--server|--plaintext|--as/);
  });

  it('gives csds its addresses and TLS settings', async () => {
    const { folder, variables } = await served();
    const watch = startCli(['watch', '--context', 'boot', '--csds-port', '0'], variables);
    later(watch.interrupt);
    await until(() => watch.stderr.includes('CSDS on '), 'CSDS is served');
    const [, address] = /CSDS on (\S+:\d+)/.exec(watch.stderr) ?? [];
    const file = join(folder, 'csds.yaml');
    writeFileSync(file, `contexts: { apps: { csds: { addresses: ["${address}"], plaintext: true } } }`);
    const { stdout, stderr } = await runCli(['csds', '--context', 'apps'], { XDS_INSPECT_CONFIG: file });
    expect([stdout, stderr]).toEqual([expect.stringContaining('greeter'), expect.not.stringContaining('xds-inspect:')]);
  });
});

describe.concurrent('XDS_INSPECT_CONTEXT', () => {
  it('selects a context, also without a target', async () => {
    const { file, variables } = await served();
    const own = { ...variables, XDS_INSPECT_CONTEXT: 'boot', XDS_INSPECT_OUTPUT: 'json' };
    const { code, stdout } = await runCli([], own);
    expect([code, JSON.parse(stdout).bootstrap]).toEqual([0, `context boot (${file})`]);
  });

  it('is overridden by a context, a bootstrap or a server on the command line, and by an empty value', async () => {
    const { folder, address, variables } = await served();
    const own = { ...variables, XDS_INSPECT_CONTEXT: 'nonsense' };
    const bootstrap = join(folder, 'prod/bootstrap.json');
    const sources: [string[], string][] = [
      [['--context=direct'], 'context direct ('],
      [['-b', bootstrap], bootstrap],
      [['--server', address, '--plaintext'], `--server ${address}`],
    ];
    for (const [flags, source] of sources) {
      const { document } = await json(['status', 'greeter', ...flags], own);
      expect(document.bootstrap).toContain(source);
    }
    expect((await runCli(['bootstrap', 'validate', bootstrap], own)).code).toBe(0);
    const { stderr } = await runCli(['greeter'], { ...own, XDS_INSPECT_CONTEXT: '' });
    expect(stderr).toContain('/no/such/file cannot be read');
  });

  it('is overridden together with the other variables that name a control plane', async () => {
    const { variables } = await served();
    const own = { ...variables, XDS_INSPECT_SERVER: '127.0.0.1:1', XDS_INSPECT_PLAINTEXT: 'true' };
    const { code, document } = await json(['status', 'greeter', '--context', 'boot'], own);
    expect([code, document.bootstrap]).toEqual([0, expect.stringContaining('context boot (')]);
    const both = { ...own, XDS_INSPECT_CONTEXT: 'boot' };
    expect(await runCli(['status', 'greeter'], both)).toMatchObject({
      code: 64,
      stderr: 'xds-inspect: --context excludes --server: both name a control plane\n',
    });
  });
});

describe.concurrent('wrong uses of a context', () => {
  it.each<[argv: string[], code: number, message: string]>([
    [['--context', 'boott'], 65, 'no context "boott" in '],
    [['--context', 'apps', 'greeter'], 65, 'names no control plane: add "bootstrap", "server" or "kube" to it'],
    [['--context', 'direct'], 64, 'has no default targets; name a target, or add "targets" to the context'],
    [['status', '--context', 'direct'], 64, 'missing target: context direct ('],
    [['csds', '--context', 'boot'], 64, 'missing address: context boot ('],
    [['--context', 'boot', '-b', 'x'], 64, '--context excludes --bootstrap: both name a control plane'],
    [
      ['get', 'lds', '--context', 'boot', '--server', 'h:1'],
      64,
      '--context excludes --server: both name a control plane',
    ],
    [['--context', 'boot', '--cacert', 'x'], 64, '--cacert requires --server or --kube: context boot ('],
    [['bootstrap', 'validate', 'x', '--context', 'boot'], 64, '--context excludes the file x: both name a bootstrap'],
    [['bootstrap', 'validate', '--context', 'direct'], 65, 'has a server and no bootstrap: name a bootstrap file'],
    [['--context', 'boot', '--context', 'apps'], 64, '--context is given 2 times (boot and apps): give it once'],
    [['--context='], 64, '--context takes the name of a context, not an empty value'],
    [['status', '--context'], 64, '--context requires a value'],
    [
      ['status'],
      64,
      'missing argument: xds-inspect status <targets..>, or --context NAME for the targets of a context',
    ],
    [
      ['csds'],
      64,
      'missing argument: xds-inspect csds <addresses..>, or --context NAME for the addresses of a context',
    ],
    [['demo', '--context', 'boot'], 64, 'unknown flag --context'],
  ])('%j', async (argv, code, message) => {
    const { variables } = await served();
    const run = await runCli(argv, variables);
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toMatch(/^xds-inspect: /);
    expect(run.stderr).toContain(message);
  });
});

describe.concurrent('context list', () => {
  it('prints names, control planes, clients and targets, and the file', async () => {
    const { file, address, variables } = await served();
    const { code, stdout, stderr } = await runCli(['context', 'list'], { ...variables, XDS_INSPECT_CONTEXT: 'direct' });
    expect([code, stderr]).toEqual([0, '']);
    const [head, empty, ...rows] = stdout.trimEnd().split('\n');
    expect([head, empty]).toEqual([`3 contexts in ${file}; * is that of XDS_INSPECT_CONTEXT`, '']);
    expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['NAME', 'CONTROL PLANE', 'CLIENT', 'CSDS', 'TARGETS'],
      ['boot', 'bootstrap prod/bootstrap.json', 'node from-context, metadata zone', 'greeter'],
      ['*', 'direct', `${address}, plaintext`, 'as c-core'],
      ['apps', '-', '127.0.0.1:1'],
    ]);
  });

  it('prints names for scripts, and all settings with absolute paths as JSON', async () => {
    const { file, folder, variables } = await served();
    expect((await runCli(['context', 'list', '-o', 'name'], variables)).stdout).toBe('boot\ndirect\napps\n');
    const { document } = await json(['context', 'list'], variables);
    expect(document).toMatchObject({ schema: 'xds-inspect/contexts/v1', file, exists: true, selected: null });
    expect(document.contexts[0]).toEqual({
      ...{
        name: 'boot',
        selected: false,
        bootstrap: join(folder, 'prod/bootstrap.json'),
        server: null,
        plaintext: false,
      },
      ...{ kube: null, kubeContext: null, kubeconfig: null, insecure: false, authority: null, tokenFile: null },
      ...{ xdsHeaders: {}, nodeCluster: null, nodeLocality: null },
      ...{ cacert: null, cert: null, key: null, nodeId: 'from-context', nodeMetadata: { zone: 'a' }, userAgent: null },
      ...{ defaultAuthority: null, as: null, targets: ['greeter'], csds: null, missingFiles: [] },
    });
  });

  it('marks files that do not exist, and never prints contents', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'config.yaml');
    writeFileSync(join(folder, 'k.pem'), 'contents of the key');
    writeFileSync(
      file,
      'contexts:\n  a: { bootstrap: gone.json }\n  b: { server: h:1, cert: gone.pem, key: k.pem }\n  c: { csds: { addresses: [h:1], cacert: gone } }\n',
    );
    for (const format of ['table', 'json', 'yaml']) {
      const { code, stdout } = await runCli(['context', 'list', '-o', format], { XDS_INSPECT_CONFIG: file });
      expect(code).toBe(0);
      expect(stdout).not.toContain('contents of the key');
      if (format === 'table') {
        expect(stdout).toContain('bootstrap gone.json (no such file)');
        expect(stdout).toContain('h:1, mTLS (no file gone.pem)');
        expect(stdout).toContain('- (no file gone)');
      } else expect(stdout).toContain(join(folder, 'gone.pem'));
    }
  });

  it('shows servers in Kubernetes and of tunnels, and no value of a header', async () => {
    const file = join(temporaryFolder(), 'config.yaml');
    const headers = 'xds_headers: { x-team: hidden-value }';
    writeFileSync(
      file,
      `contexts:
  a: { kube: mesh/svc/istiod:1, kube_context: prod, authority: x, node_cluster: c, node_locality: eu, ${headers} }
  b: { server: h:1, insecure: true, csds: { addresses: ["kube:pod/a:1"], ${headers} } }
`,
    );
    for (const format of ['table', 'json', 'yaml']) {
      const { code, stdout } = await runCli(['context', 'list', '-o', format], { XDS_INSPECT_CONFIG: file });
      expect([code, stdout]).toEqual([0, expect.not.stringContaining('hidden-value')]);
      if (format === 'table') {
        expect(stdout).toContain('kube mesh/svc/istiod:1 in prod as x, TLS ');
        expect(stdout).toContain('cluster c, locality eu');
        expect(stdout).toContain('h:1, TLS unverified');
      } else expect(stdout.match(/\[redacted\]/g)).toHaveLength(2);
    }
  });

  it('explains how to create the file', async () => {
    const variables = { XDS_INSPECT_CONFIG: join(temporaryFolder(), 'config.yaml') };
    const { code, stdout, stderr } = await runCli(['context', 'list'], variables);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^no contexts: .*config\.yaml does not exist\n/);
    const [example] = / {2}contexts:\n(?: {4}.*\n)+/.exec(stdout) ?? [];
    writeFileSync(variables.XDS_INSPECT_CONFIG, example as string);
    expect((await runCli(['context', 'list', '-o', 'name'], variables)).stdout).toBe('prod\nlocal\n');
    expect(await json(['context', 'list'], { XDS_INSPECT_CONFIG: '/no/file' })).toMatchObject({
      code: 0,
      document: { exists: false, contexts: [] },
    });
    writeFileSync(variables.XDS_INSPECT_CONFIG, '');
    expect((await runCli(['context', 'list'], variables)).stdout).toMatch(/^no contexts in .*config\.yaml\n/);
  });

  it('reports all problems of the file', async () => {
    const file = join(temporaryFolder(), 'config.yaml');
    writeFileSync(file, 'contexts:\n  a: { bootstrap: b, tokn: x }\n  b: { server: h }\n');
    const { code, stdout, stderr } = await runCli(['context', 'list', '-o', 'name'], { XDS_INSPECT_CONFIG: file });
    expect([code, stdout]).toEqual([65, '']);
    expect(stderr.split('\n').map((line) => line.replace(/^(xds-inspect: )?/, '').slice(0, file.length + 6))).toEqual([
      `${file}:2:22:`,
      `${file}:3:8: `,
      '',
    ]);
  });
});
