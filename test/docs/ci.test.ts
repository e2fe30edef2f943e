import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/root.js';
import { type Run, readSarif } from '../support/sarif.js';

const blocks = [...readFileSync(join(ROOT, 'docs/ci.md'), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) =>
  parse(match[1] as string),
);
const workflow = blocks.find(({ jobs }) => jobs !== undefined);
const pipeline = blocks.find(({ xds }) => xds !== undefined);
const steps: { name?: string; run?: string }[] = workflow.jobs.xds.steps;
const scriptOf = (name: string): string => steps.find((step) => step.name === name)?.run as string;

interface Container {
  name: string;
  args: string[];
  env: { name: string; value: string }[];
}
const containers: Container[] = blocks
  .filter(({ kind }) => kind === 'Pod' || kind === 'Job')
  .flatMap(({ spec }) => spec.initContainers ?? spec.template.spec.containers);
const container = (name: string): Container => containers.find((one) => one.name === name) as Container;

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router';
const address = (port: number): object => ({
  endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: port } } },
});
const RESOURCES = {
  'listener.yaml': {
    '@type': 'LDS',
    name: 'greeter',
    api_listener: {
      api_listener: {
        '@type': HCM,
        http_filters: [{ name: 'router', typed_config: { '@type': ROUTER } }],
        route_config: {
          virtual_hosts: [{ domains: ['*'], routes: [{ match: { prefix: '' }, route: { cluster: 'greeter-blue' } }] }],
        },
      },
    },
  },
  'cluster.yaml': {
    '@type': 'CDS',
    name: 'greeter-blue',
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} } },
  },
  'endpoints.yaml': {
    '@type': 'EDS',
    cluster_name: 'greeter-blue',
    endpoints: [{ locality: { region: 'r' }, load_balancing_weight: 1, lb_endpoints: [address(1), address(2)] }],
  },
};
const EXPECTATIONS = `
bootstrap: bootstrap.json
targets:
  - target: greeter
    resources: { CDS/greeter-blue: ACKED, EDS/greeter-blue: { endpoints: { healthy: '>=2' } } }
`;

let folder: string;
let port: number;
const running: ChildProcess[] = [];

/** Creates a repository with the files of the recipes, and a free port. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-ci-'));
  port = await freePort();
  mkdirSync(join(folder, 'resources'));
  for (const [name, resource] of Object.entries(RESOURCES)) write(`resources/${name}`, resource);
  const server = { server_uri: `127.0.0.1:${port}`, channel_creds: [{ type: 'insecure' }] };
  write('bootstrap.json', { xds_servers: [server], node: { id: 'ci' } });
  writeFileSync(join(folder, 'expectations.yaml'), EXPECTATIONS);
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/xds-inspect');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/xds-inspect.js')}" "$@"\n`);
  chmodSync(program, 0o755);
});

afterEach(() => {
  for (const { pid } of running.splice(0)) {
    try {
      process.kill(-(pid as number));
    } catch {
      // The process and its children have ended.
    }
  }
  rmSync(folder, { recursive: true });
});

function write(name: string, content: object): void {
  writeFileSync(join(folder, name), JSON.stringify(content));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as { port: number };
      server.close(() => resolve(free));
    });
  });
}

/** Runs a command in the repository, as the CI service would. */
function run(command: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { GRPC_XDS_BOOTSTRAP_CONFIG: _inline, GRPC_XDS_BOOTSTRAP: _file, ...rest } = process.env;
  const env = {
    ...rest,
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    GRPC_XDS_BOOTSTRAP: join(folder, 'bootstrap.json'),
  };
  const child = spawn(command, args, { cwd: folder, env, detached: true });
  running.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve({ code: code ?? -1, stdout, stderr })));
}

const shell = (script: string) => run('bash', ['-e', '-o', 'pipefail', '-c', script.replaceAll('18000', String(port))]);
/** Runs the command of a container with shorter times and with the files of the test. */
const inside = ({ args }: Container, timeout = '30s') =>
  run(
    'xds-inspect',
    args.map((arg) => arg.replace('/etc/xds', folder).replace(/^5m$/, '500ms').replace(/^2m$/, timeout)),
  );

describe('docs/ci.md, GitHub Actions', () => {
  it('passes with valid resources and a correct control plane', async () => {
    expect(await shell(scriptOf('resources and bootstrap'))).toMatchObject({ code: 0 });
    expect(await shell(scriptOf('control plane'))).toMatchObject({ code: 0 });
  });

  it('annotates the line of a resource that gRPC rejects, and fails', async () => {
    write('resources/cluster.yaml', { ...RESOURCES['cluster.yaml'], lb_policy: 'CLUSTER_PROVIDED' });
    const { code, stdout } = await shell(scriptOf('resources and bootstrap'));
    expect(code).toBe(79);
    expect(stdout).toMatch(/^::error file=resources\/cluster\.yaml,line=1,/m);
  });

  it('fails if the control plane does not meet the expectations', async () => {
    writeFileSync(join(folder, 'expectations.yaml'), EXPECTATIONS.replace('>=2', '>=3'));
    const { code, stdout } = await shell(scriptOf('control plane'));
    expect(code).toBe(79);
    expect(stdout).toMatch(/^::error file=expectations\.yaml,line=5,/m);
  });
});

describe('docs/ci.md, code scanning', () => {
  const recipe = blocks.find(({ jobs }) => jobs?.['code-scanning'] !== undefined).jobs['code-scanning'];
  const script = (recipe.steps as typeof steps).find(({ name }) => name === 'findings')?.run as string;
  const logs = (): Run[] =>
    ['resources', 'bootstrap'].map((name) => readSarif(readFileSync(join(folder, `sarif/${name}.sarif`), 'utf8')));

  it('writes a log for resources and one for the bootstrap, without errors', async () => {
    expect(await shell(script)).toMatchObject({ code: 0 });
    const results = logs().flatMap((run) => run.results);
    expect(results.filter(({ level }) => level === 'error')).toEqual([]);
    expect(logs().map(({ automationDetails }) => automationDetails.id)).toEqual([
      'xds-inspect/validate/',
      'xds-inspect/bootstrap-validate/',
    ]);
  });

  it('writes both logs and fails if a resource is rejected, and names its file relative to the repository', async () => {
    write('resources/cluster.yaml', { ...RESOURCES['cluster.yaml'], lb_policy: 'CLUSTER_PROVIDED' });
    expect(await shell(script)).toMatchObject({ code: 79 });
    const [rejected] = logs()[0]?.results.filter(({ level }) => level === 'error') ?? [];
    expect(rejected?.locations?.[0]?.physicalLocation.artifactLocation).toEqual({
      uri: 'resources/cluster.yaml',
      uriBaseId: 'SRCROOT',
    });
  });
});

describe('the README, In CI', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const script = /^## In CI\n+```sh\n([\s\S]*?)```/m.exec(readme)?.[1] as string;

  it('has five lines that pass, and that fail if the expectations are not met', async () => {
    expect(script.trim().split('\n')).toHaveLength(5);
    expect(await shell(`${script}kill %1`)).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'expectations.yaml'), EXPECTATIONS.replace('>=2', '>=3'));
    expect(await shell(script)).toMatchObject({ code: 79 });
  });
});

describe('docs/ci.md, GitLab', () => {
  it('writes reports if it passes and if it fails', async () => {
    const script = [...pipeline.xds.script, 'kill %1'].join('\n');
    expect(await shell(script)).toMatchObject({ code: 0 });
    for (const report of pipeline.xds.artifacts.reports.junit)
      expect(readFileSync(join(folder, report), 'utf8')).toMatch(
        /<testsuites name="xds-inspect" tests="\d+" failures="0"( time="\d+\.\d{3}")?>/,
      );
    writeFileSync(join(folder, 'expectations.yaml'), EXPECTATIONS.replace('>=2', '>=3'));
    expect(await shell(script)).toMatchObject({ code: 79 });
    const failed = readFileSync(join(folder, 'expectations.xml'), 'utf8');
    expect(failed).toMatch(/<testsuites name="xds-inspect" tests="\d+" failures="1" time="\d+\.\d{3}">/);
    expect(failed).toMatch(/<testcase classname="greeter" name="verdict" time="\d+\.\d{3}">/);
  });
});

describe('docs/ci.md, Kubernetes', () => {
  it('waits, checks and watches on a control plane that serves all resources', async () => {
    void run('xds-inspect', ['serve', 'resources', '--port', String(port)]);
    for (const name of ['xds-ready', 'check', 'tears'])
      expect(await inside(container(name)), name).toMatchObject({ code: 0 });
  });

  it('does not start the pod if the control plane is unreachable, and prints the reason', async () => {
    const { code, stdout, stderr } = await inside(container('xds-ready'), '1s');
    expect(code).toBe(69);
    expect(`${stdout}${stderr}`).toContain(`127.0.0.1:${port}`);
  });
});
