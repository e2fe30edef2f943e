import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildAction } from '../github-action/built-action.js';
import { ACTION } from '../github-action/composite.js';
import { EXPECTATIONS, REJECTED_CLUSTER, RESOURCES, repositoryFiles, writeFiles } from '../support/ci-repository.js';
import { ROOT } from '../support/root.js';
import { type Run, readSarif } from '../support/sarif.js';

const blocks = [...readFileSync(join(ROOT, 'docs/ci.md'), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) =>
  parse(match[1] as string),
);
const pipeline = blocks.find(({ xds }) => xds !== undefined);

interface Step {
  name?: string;
  run?: string;
  uses?: string;
  with?: Record<string, unknown>;
}
const stepsOf = (job: string): Step[] => blocks.find(({ jobs }) => jobs?.[job] !== undefined)?.jobs[job].steps;
const scriptOf = (name: string): string => stepsOf('xds').find((step) => step.name === name)?.run as string;

const UPDATES = process.env.UPDATE_DOCS === '1';
const TABLE = /(?<=<!-- inputs -->\n)[\s\S]*?(?=<!-- end of inputs -->)/;
const PAGE = join(ROOT, 'docs/ci.md');

function inputTable(): string {
  const rows = Object.entries(ACTION.inputs).map(
    ([name, { description, default: value }]) =>
      `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${description} |`,
  );
  return ['| input | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

if (UPDATES) writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(TABLE, inputTable));

interface Container {
  name: string;
  args: string[];
  env: { name: string; value: string }[];
}
const containers: Container[] = blocks
  .filter(({ kind }) => kind === 'Pod' || kind === 'Job')
  .flatMap(({ spec }) => spec.initContainers ?? spec.template.spec.containers);
const container = (name: string): Container => containers.find((one) => one.name === name) as Container;

let folder: string;
let port: number;
const running: ChildProcess[] = [];

/** Creates a repository with the files of the recipes, and a free port. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-ci-'));
  port = await freePort();
  writeFiles(folder, repositoryFiles(`127.0.0.1:${port}`));
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

/** Runs the steps of a job in the repository: scripts, and this Action. Returns the codes of the Action. */
async function runJob(job: string): Promise<number[]> {
  const action = await buildAction();
  const codes: number[] = [];
  for (const { run: script, uses = '', with: inputs = {} } of stepsOf(job)) {
    if (script !== undefined) expect(await shell(script), script).toMatchObject({ code: 0 });
    if (!uses.includes('/xds-inspect@')) continue;
    const texts = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)]));
    codes.push((await action.run(folder, { inputs: texts })).code);
  }
  return codes;
}

describe('docs/ci.md, GitHub Action', () => {
  it('has a table of the inputs', () => {
    expect(TABLE.exec(readFileSync(PAGE, 'utf8'))?.[0]).toBe(inputTable());
  });

  it('validates files, and fails if gRPC rejects one of them', async () => {
    writeFiles(folder, {
      'deploy/a/b.xds.yaml': RESOURCES['cluster.yaml'],
      'deploy/drafts/c.xds.yaml': REJECTED_CLUSTER,
    });
    expect(await runJob('files')).toEqual([0]);
    writeFiles(folder, { 'deploy/a/b.xds.yaml': REJECTED_CLUSTER });
    expect(await runJob('files')).toEqual([79]);
  });

  it('checks a control plane that an earlier step started, and fails if it does not meet the expectations', async () => {
    expect(await runJob('plane')).toEqual([0, 0]);
    writeFileSync(join(folder, 'expectations.yaml'), EXPECTATIONS.replace('>=2', '>=3'));
    const action = await buildAction();
    const inputs = stepsOf('plane').at(-1)?.with as Record<string, string>;
    expect(await action.run(folder, { inputs })).toMatchObject({ code: 79 });
  });
});

describe('docs/ci.md, pre-commit', () => {
  it('names hooks that exist, with arguments that their commands accept', async () => {
    const [{ hooks }] = blocks.find(({ repos }) => repos !== undefined).repos;
    const entries: { id: string; entry: string }[] = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8'));
    for (const { id, args = [] } of hooks) {
      const words =
        entries
          .find((entry) => entry.id === id)
          ?.entry.split(' ')
          .slice(1) ?? [];
      const file = id === 'xds-inspect-bootstrap' ? 'bootstrap.json' : 'resources/cluster.yaml';
      expect(await run('xds-inspect', [...words, ...args, file]), id).toMatchObject({ code: 0 });
    }
    expect(hooks.map(({ id }: { id: string }) => id)).toEqual(entries.map(({ id }) => id));
  });
});

describe('docs/ci.md, GitHub Actions', () => {
  it('passes with valid resources and a correct control plane', async () => {
    expect(await shell(scriptOf('resources and bootstrap'))).toMatchObject({ code: 0 });
    expect(await shell(scriptOf('control plane'))).toMatchObject({ code: 0 });
  });

  it('annotates the line of a resource that gRPC rejects, and fails', async () => {
    writeFiles(folder, { 'resources/cluster.yaml': REJECTED_CLUSTER });
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
  const script = stepsOf('code-scanning').find(({ name }) => name === 'findings')?.run as string;
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
    writeFiles(folder, { 'resources/cluster.yaml': REJECTED_CLUSTER });
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
