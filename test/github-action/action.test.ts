import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bootstrapFor,
  EXPECTATIONS,
  REJECTED_CLUSTER,
  RESOURCES,
  repositoryFiles,
  writeFiles,
} from '../support/ci-repository.js';
import { temporaryFolder } from '../support/clean-up.js';
import { CLOSED } from '../support/live-server.js';
import { ROOT } from '../support/root.js';
import { startServing } from '../support/serving.js';
import { type BuiltAction, buildAction, type JobOptions } from './built-action.js';
import { ACTION, type ActionRun } from './composite.js';

let action: BuiltAction;
let address: string;
beforeAll(async () => {
  action = await buildAction();
  const resources = temporaryFolder();
  writeFiles(resources, RESOURCES);
  const { variables } = await startServing(resources);
  address = JSON.parse(variables.GRPC_XDS_BOOTSTRAP_CONFIG).xds_servers[0].server_uri;
});

interface Job extends JobOptions {
  /** Files of the repository besides those of the recipes. */
  files?: Record<string, string | object>;
}

/** Runs the Action in a repository with the files of the recipes. */
async function job({ files = {}, ...options }: Job): Promise<ActionRun & { workspace: string }> {
  const workspace = temporaryFolder();
  writeFiles(workspace, { ...repositoryFiles(address), ...files });
  return { ...(await action.run(workspace, options)), workspace };
}

const usedBy = ({ used }: ActionRun): string[] => used.map(({ uses }) => uses.replace(/@.*/, ''));
const annotations = ({ log }: ActionRun): string[] => log.match(/^::(error|warning|notice) .*$/gm) ?? [];
const errors = ({ log }: ActionRun): string[] => log.match(/^::error .*$/gm) ?? [];

describe('action.yml', () => {
  it('conforms to the schema of GitHub', () => {
    const text = readFileSync(join(ROOT, 'action.yml'), 'utf8');
    expect(validateAction(text)).toEqual({ actionType: 'action', errors: [] });
    expect(validateAction(text.replace('using: composite', 'using: composition')).errors).not.toEqual([]);
  });

  it('has a workflow for this project beside it, which conforms, too', () => {
    const text = readFileSync(join(ROOT, '.github/workflows/ci.yaml'), 'utf8');
    expect(validateWorkflow(text)).toEqual({ actionType: 'workflow', errors: [] });
    expect(text).toContain('- run: .ci/run\n');
  });

  it('passes inputs to scripts only in variables', () => {
    const scripts = ACTION.runs.steps.flatMap(({ run }) => run ?? []);
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('uses every input', () => {
    const text = JSON.stringify(ACTION.runs);
    expect(Object.keys(ACTION.inputs).filter((name) => !text.includes(`inputs.${name}`))).toEqual([]);
  });

  it('names other actions by their major version', () => {
    const others = ACTION.runs.steps.flatMap(({ uses }) => uses ?? []);
    expect(others.filter((name) => !/^(actions|github)\/[\w/-]+@v\d+$/.test(name))).toEqual([]);
  });
});

describe.concurrent('the GitHub Action', () => {
  it('passes if every check passes, uploads the report pages, and adds the tool to the PATH', async () => {
    const run = await job({
      inputs: {
        files: 'resources/*.yaml',
        'bootstrap-files': 'boot*.json',
        expectations: 'expectations.yaml',
        targets: 'greeter',
        bootstrap: 'bootstrap.json',
      },
    });
    expect(run).toMatchObject({ code: 0, outputs: { 'exit-code': '0', sarif: '' } });
    expect(errors(run)).toEqual([]);
    expect(run.summary).toMatch(/^## xds-inspect: passed\n/);
    expect(run.summary.match(/<tr><td>passed<\/td>/g)).toHaveLength(4);
    expect(run.summary).toContain('The report pages are in the artifact <code>xds-inspect</code>.');
    expect(usedBy(run)).toEqual(['actions/cache', 'actions/upload-artifact']);
    for (const page of ['check-1.html', 'report.html'])
      expect(readFileSync(join(run.outputs.report as string, page), 'utf8')).toMatch(/^<!doctype html>/);
    expect(run.path.trim()).toMatch(/\/node_modules\/\.bin$/);
  });

  it('runs and reports all checks if some fail, and exits with the code of the worst', async () => {
    const run = await job({
      inputs: {
        files: 'resources',
        'bootstrap-files': '*.json',
        expectations: 'expect*.yaml',
        targets: 'greeter\nxds://nowhere/greeter',
        bootstrap: 'bootstrap.json',
      },
      files: {
        'resources/cluster.yaml': REJECTED_CLUSTER,
        'broken.json': '{"xds_servers": []}',
        'expectations-2.yaml': EXPECTATIONS.replace('>=2', '>=3'),
      },
    });
    expect(run).toMatchObject({ code: 65, outputs: { 'exit-code': '65' } });
    expect(errors(run)).toEqual([
      expect.stringMatching(/^::error file=broken\.json,line=1,/),
      expect.stringMatching(/^::error file=resources\/cluster\.yaml,line=1,col=\d+,title=XI100::lb_policy: /),
      expect.stringMatching(/^::error file=expectations-2\.yaml,line=5,/),
      expect.stringMatching(/^::error title=xds-inspect report greeter xds%3A.*::.*authority not found for nowhere$/),
    ]);
    expect(run.summary).toMatch(/^## xds-inspect: 4 of 6 failed\n/);
    expect(run.summary).toContain('resources/cluster.yaml:1:');
    expect(usedBy(run)).toEqual(['actions/cache', 'actions/upload-artifact']);
  });

  it.each<[name: string, inputs: Record<string, string>, code: number, message: RegExp]>([
    [
      'a glob that matches nothing',
      { files: 'resorces/*.yaml' },
      65,
      /No file matches "resorces\/\*\.yaml" of the input files/,
    ],
    ['a missing file', { files: 'resources/none.yaml' }, 65, /file=resources\/none\.yaml,.*no such file/],
    ['a wrong value of a flag', { files: 'resources', 'failure-threshold': 'all' }, 64, /failure-threshold/],
    [
      'a value that is neither true nor false',
      { files: 'resources', sarif: 'yes' },
      64,
      /sarif is "yes": write true or false/,
    ],
    ['require without as: all', { files: 'resources', require: 'grpc-go' }, 64, /require needs the input "as: all"/],
    [
      'an unreachable control plane',
      { targets: 'greeter', bootstrap: 'closed.json', timeout: '2s' },
      69,
      /refuses connections/,
    ],
  ])('fails and says why: %s', async (_, inputs, code, message) => {
    const run = await job({ inputs, files: { 'closed.json': bootstrapFor(CLOSED) } });
    expect(run).toMatchObject({ code, outputs: { 'exit-code': String(code) } });
    expect(annotations(run).join('\n')).toMatch(message);
    expect(run.summary).toMatch(/^## xds-inspect: 1 of \d failed\n/);
  });

  it('installs the tool again if a file of it has changed', async () => {
    const actionPath = temporaryFolder();
    cpSync(action.checkout, actionPath, { recursive: true });
    const key = async (): Promise<string> => {
      const { used } = await job({ inputs: {}, actionPath });
      return used.find(({ uses }) => uses.startsWith('actions/cache@'))?.with.key as string;
    };
    const first = await key();
    expect(await key()).toBe(first);
    writeFiles(actionPath, { 'src/new.ts': '' });
    expect(await key()).not.toBe(first);
  });

  it('only installs the tool if no input names anything to check, and says so', async () => {
    const run = await job({ inputs: {} });
    expect(run).toMatchObject({ code: 0, outputs: { 'exit-code': '0', report: '' } });
    expect(run.summary).toContain('The inputs name nothing to check.');
  });

  it('selects files by several lines, and excludes those of lines with an exclamation mark', async () => {
    const run = await job({
      inputs: { files: 'resources/endpoints.yaml\n  deploy/**/*.{yaml,json}  \n\n!**/draft.yaml' },
      files: { 'deploy/a/b.json': REJECTED_CLUSTER, 'deploy/draft.yaml': 'not a resource', 'deploy/c.txt': '' },
    });
    expect(errors(run)).toEqual([expect.stringMatching(/^::error file=deploy\/a\/b\.json,/)]);
    expect(run.summary).toContain('validate resources/endpoints.yaml and 1 more');
  });

  it('fails at the severity of failure-threshold, unless the finding is suppressed', async () => {
    const files = { 'lint.json': { ...bootstrapFor('127.0.0.1:1'), certificate_provider: {} } };
    const inputs = { 'bootstrap-files': 'lint.json', 'failure-threshold': 'warning' };
    const strict = await job({ inputs, files });
    expect(strict).toMatchObject({ code: 79 });
    const [, code = ''] = /title=(XI\d+)/.exec(strict.log) ?? [];
    expect(await job({ inputs: { ...inputs, 'failure-threshold': 'error' }, files })).toMatchObject({ code: 0 });
    expect(await job({ inputs: { ...inputs, suppress: code }, files })).toMatchObject({ code: 0 });
  });

  it('compares implementations with as: all, and fails only for those of require', async () => {
    const locality = {
      xds_servers: [{ server_uri: 'a:1', channel_creds: [{ type: 'insecure' }] }],
      node: { id: 'ci' },
    };
    const inputs = {
      files: 'resources',
      'bootstrap-files': 'no-locality.json',
      targets: 'greeter',
      bootstrap: 'bootstrap.json',
    };
    const files = { 'no-locality.json': locality };
    expect(await job({ inputs: { ...inputs, as: 'all' }, files })).toMatchObject({ code: 65 });
    const required = await job({ inputs: { ...inputs, as: 'all', require: 'c-core, grpc-go' }, files });
    expect(required).toMatchObject({ code: 0 });
    expect(required.summary).toContain('<code>bootstrap validate --as grpc-go no-locality.json</code>');
    expect(required.summary).toContain('<code>compare greeter</code>');
  });

  it('interprets no input as a script, a flag or Markdown', async () => {
    const evil = '$(touch pwned)`touch pwned`"; touch pwned; <img src=x> @someone';
    const run = await job({
      inputs: { files: `${evil}\n--help`, targets: '--version', bootstrap: 'bootstrap.json', timeout: '300ms' },
    });
    expect(run.code).toBe(65);
    expect(() => readFileSync(join(run.workspace, 'pwned'))).toThrow('ENOENT');
    expect(run.summary).not.toContain('<img');
    expect(annotations(run).join('\n')).toContain('file=--help,');
  });

  it('does not execute workflow commands in the output of a command', async () => {
    const program = `console.log('::set-env name=PATH::x'); console.error('::error::from a control plane'); process.exit(79);`;
    const run = await job({ inputs: { targets: 'greeter' }, program });
    const [, token] = /^::stop-commands::(\S+)$/m.exec(run.log) ?? [];
    const [, stopped] = new RegExp(`^::stop-commands::${token}\n([^]*?)^::${token}::$`, 'm').exec(run.log) ?? [];
    expect(stopped).toContain('::set-env name=PATH::x\n');
    expect(stopped).toContain('::error::from a control plane\n');
    expect(run.code).toBe(79);
  });

  it('fails with exit code 1 if a command crashes', async () => {
    const run = await job({ inputs: { targets: 'greeter' }, program: "process.kill(process.pid, 'SIGKILL');" });
    expect(run).toMatchObject({ code: 1, outputs: { 'exit-code': '1' } });
  });
});

/** A program that prints this SARIF document, as `-o sarif` would. */
const printing = (sarif: object): string => `console.log(${JSON.stringify(JSON.stringify(sarif))}); process.exit(79);`;

describe.concurrent('the GitHub Action with sarif: true', () => {
  const location = {
    physicalLocation: { artifactLocation: { uri: 'a%20b.yaml' }, region: { startLine: 3, startColumn: 7 } },
  };
  const sarif = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'xds-inspect' } },
        results: [
          { ruleId: 'XI100', level: 'error', message: { text: 'first\nsecond' }, locations: [location] },
          { ruleId: 'XI101', message: { text: 'no level means warning' } },
          { ruleId: 'XI104', level: 'note', message: { text: 'a note' } },
        ],
      },
    ],
  };

  it('annotates the results, and uploads one run per check under a stable category', async () => {
    const inputs = {
      files: 'resources',
      'bootstrap-files': 'bootstrap.json',
      expectations: 'expectations.yaml',
      sarif: 'true',
      name: 'east',
    };
    const run = await job({ inputs, program: printing(sarif) });
    expect(annotations(run).slice(0, 3)).toEqual([
      '::error file=a b.yaml,line=3,col=7,title=XI100::first%0Asecond',
      '::warning title=XI101::no level means warning',
      '::notice title=XI104::a note',
    ]);
    const { version, runs } = JSON.parse(readFileSync(run.outputs.sarif as string, 'utf8'));
    expect(version).toBe('2.1.0');
    expect(runs.map(({ automationDetails: { id } }: { automationDetails: { id: string } }) => id)).toEqual([
      'east/bootstrap bootstrap.json/',
      'east/resources/',
      'east/expectations expectations.yaml/',
    ]);
    expect(runs[0].results).toEqual(sarif.runs[0]?.results);
    const upload = run.used.find(({ uses }) => uses.startsWith('github/codeql-action/upload-sarif@'));
    expect(upload?.with).toEqual({ sarif_file: run.outputs.sarif, category: 'east' });
    expect(run.code).toBe(79);
  });

  it('uploads what the commands print', async () => {
    const inputs = {
      files: 'resources',
      'bootstrap-files': 'bootstrap.json',
      expectations: 'expectations.yaml',
      sarif: 'true',
    };
    const run = await job({ inputs, files: { 'resources/cluster.yaml': REJECTED_CLUSTER } });
    expect(run.code).toBe(79);
    expect(errors(run)).toEqual([
      expect.stringMatching(/^::error file=resources\/cluster\.yaml,line=1,col=\d+,title=XI100::/),
    ]);
    const { runs } = JSON.parse(readFileSync(run.outputs.sarif as string, 'utf8'));
    expect(runs).toHaveLength(3);
  });
});
