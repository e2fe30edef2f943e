import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/base/display-width.js';
import { shellCommand, shellWord } from '../../src/base/shell-word.js';
import type { MetadataPart } from '../../src/bootstrap/node-metadata.js';
import { rerunCommand } from '../../src/cli/run/rerun-command.js';
import { type InspectionResult, inspectionResult } from '../../src/inspect/inspection-result.js';
import { ResourceFilter } from '../../src/inspect/resource-filter.js';
import type { CauseCode, Verdict, VerdictWord } from '../../src/inspect/verdict/verdict.js';
import { WorstVerdicts } from '../../src/inspect/verdict-history.js';
import { nextCommands } from '../../src/view/next-commands.js';
import { reportText } from '../../src/view/render/report.js';
import { reportDocument } from '../../src/view/report.js';
import { causeScenarios } from '../inspect/cause-scenarios.js';
import { runCli } from '../support/cli.js';
import { PIPE, RERUN } from './every-view.js';

const ALL = new ResourceFilter({ type: undefined, name: undefined, status: undefined });
const SCENARIOS = causeScenarios();

async function resultOf(name: string): Promise<InspectionResult> {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  const { inspection } = await scenario.reached();
  inspection.close();
  return inspectionResult(inspection, 'met');
}

function textOf(result: InspectionResult, width?: number, worst = new WorstVerdicts()): string {
  const context = { filter: ALL, rerun: RERUN, notes: [], worseThan: worst.worseThan.bind(worst) };
  return reportText(reportDocument(result, context), { ...PIPE, width });
}

describe('the report', () => {
  it.each(SCENARIOS)('fits 80 columns, and has the complete line 1 in a pipe: $name', async ({ name, expected }) => {
    const result = await resultOf(name);
    const lines = textOf(result, 80).split('\n');
    // A command is not wrapped, so that it can be pasted.
    const next = lines.findIndex((line) => line.startsWith('  Next: '));
    expect(lines.slice(0, next < 0 ? undefined : next).filter((line) => displayWidth(line) > 80)).toEqual([]);
    expect(lines.slice(next).every((line) => line === '' || line.includes('xds-inspect '))).toBe(true);
    expect(textOf(result).split('\n')[0]).toContain(expected.message ?? 'every route finds a usable endpoint');
  });

  it.each(['ok', 'no-route-redirect', 'rejected-cds', 'unreachable-refused'])('fits 80×24: %s', async (name) => {
    expect(textOf(await resultOf(name), 80).split('\n').length).toBeLessThanOrEqual(24);
  });

  it('folds a finding into line 1 only if it is about the same resource', async () => {
    const result = await resultOf('deleted-lds');
    const [finding] = result.findings.filter(({ code }) => code === 'XI204');
    if (finding === undefined) throw new Error('no finding');
    expect(textOf(result)).not.toContain('XI204');
    const other = { ...finding, names: ['another'], message: 'LDS version 2 omits another' };
    const text = textOf({ ...result, findings: [...result.findings, other] });
    expect(text.match(/XI204 .*/g)).toEqual([expect.stringContaining('omits another')]);
    expect(text).toContain('\n  Findings (explained by xds-inspect docs CODE)\n');
  });

  it('counts the errors that were discarded', async () => {
    const result = await resultOf('kept-old-version-cds');
    expect(textOf(result)).not.toContain('earlier error');
    expect(textOf({ ...result, droppedErrors: 7 })).toContain('\n  … 7 earlier errors\n');
  });

  it('adds the worst observed verdict to line 1', async () => {
    const result = await resultOf('ok');
    const worst = new WorstVerdicts();
    const [now] = result.verdicts;
    if (now === undefined) throw new Error('no verdict');
    const cause = { code: 'deleted', message: 'it went', resource: null, server: null, advice: '' } as const;
    worst.observe([{ ...now, verdict: 'waiting' }], 0);
    worst.observe([now], 1000);
    expect(textOf(result, undefined, worst).split('\n')[0]).not.toContain('worst');
    worst.observe([{ ...now, verdict: 'fails', cause }], 2000);
    worst.observe([{ ...now, verdict: 'partly' }], 3000);
    expect(textOf(result, undefined, worst).split('\n')[0]).toBe(
      'xds:///greeter  OK  every route finds a usable endpoint; worst at 00:00:02: FAILS  it went',
    );
  });

  it('requires a terminal for -w', async () => {
    expect(await runCli(['report', '-w', 'greeter', '--server', '127.0.0.1:1', '--plaintext'])).toMatchObject({
      code: 64,
      stdout: '',
      stderr: expect.stringContaining('-w requires a terminal'),
    });
  });
});

/** The words into which a shell splits a command; the program prints its arguments. */
function typed(command: string): string[] {
  const script = `tool() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

/** Names that are dangerous if they are pasted without quotes. */
const HOSTILE = [
  '$(touch /tmp/x)',
  '`id`',
  "a'b",
  "'; id; '",
  'a"b',
  'a b',
  '*',
  '~root',
  '!!',
  '\\',
  'a;b&c|d>e<f',
  '#x',
  'é',
  '',
];
/** Names with invisible characters. */
const HIDDEN = ['a\nid\n', 'a\rid', '\x1b[2J', 'a\u202eb', 'a\u2028b', 'a\0b', '\u200b', '\ud800', 'a\tb'];

const verdictOf = (target: string, name: string, code: CauseCode, verdict: VerdictWord = 'fails'): Verdict => ({
  target,
  verdict,
  cause: { code, message: '', resource: { type: 'CDS', name }, server: null, advice: '' },
  routes: [],
  hasUnmatchedCalls: false,
  listeners: null,
  advice: null,
  clients: null,
});

describe('a suggested command', () => {
  it.each(HOSTILE)('quotes the name %j for the shell', (name) => {
    const flags = ['-b', name, '--node-id', name];
    expect(nextCommands(verdictOf(name, name, 'rejected', 'partly'), { program: 'tool', flags }).map(typed)).toEqual([
      ['get', ...flags, 'clusters', name],
      ['explain', ...flags, name],
    ]);
    expect(typed(`tool ${shellWord(name)}`)).toEqual([name]);
  });

  it.each(HIDDEN)('is omitted if the name has invisible characters: %j', (name) => {
    expect(shellCommand(['xds-inspect', name])).toBeUndefined();
    expect(nextCommands(verdictOf(name, 'blue', 'data-error'), RERUN)).toEqual([]);
    expect(nextCommands(verdictOf('xds:///a', name, 'rejected'), RERUN)).toEqual([]);
  });

  it.each(['-v', '--record=/tmp/x'])('is omitted if the name looks like a flag: %s', (name) => {
    expect(nextCommands(verdictOf('xds:///a', name, 'rejected'), RERUN)).toEqual([]);
  });

  it('connects to the same control plane as the same client', () => {
    const input = {
      ...{ bootstrap: 'my file.json', server: undefined, plaintext: true, cacert: 'ca.pem', cert: undefined },
      ...{ key: undefined, nodeId: 'n', userAgent: undefined, defaultAuthority: undefined, as: 'c-core' as const },
      nodeMetadata: [['a', 'b'], { file: 'n.yaml' }] as MetadataPart[],
      ...{ context: undefined, kube: undefined, kubeContext: undefined, kubeconfig: undefined, insecure: false },
      ...{ authority: undefined, tokenFile: undefined, xdsHeader: [], nodeCluster: undefined, showSecrets: false },
      nodeLocality: undefined,
      given: new Set(['bootstrap', 'plaintext', 'cacert', 'node-id', 'node-metadata', 'as']),
    };
    const [command = ''] = nextCommands(
      verdictOf('xds:///a', 'blue', 'rejected'),
      rerunCommand(input, 'npx xds-inspect'),
    );
    expect(command).toBe(
      "npx xds-inspect get -b 'my file.json' --cacert ca.pem --node-id n --node-metadata @n.yaml --node-metadata a=b --as c-core --plaintext clusters blue",
    );
    const kube = {
      ...{ ...input, bootstrap: undefined, kube: 'svc/istiod:15012', kubeContext: 'prod', insecure: true },
      ...{
        nodeMetadata: [
          ['a', 'b,c'],
          ['token', { t: 1 }],
        ] as MetadataPart[],
        nodeLocality: 'eu',
        plaintext: false,
      },
      xdsHeader: [['x-key', 'a b']] as [string, string][],
      given: new Set(['kube', 'kube-context', 'insecure', 'xds-header', 'node-metadata', 'node-locality', 'as']),
    };
    expect(rerunCommand(kube, 'x').flags).toEqual([
      ...['--kube', 'svc/istiod:15012', '--kube-context', 'prod', '-H', 'x-key: [redacted]', '--node-locality', 'eu'],
      ...['--node-metadata', '{"a":"b,c","token":"[redacted]"}', '--as', 'c-core', '--insecure'],
    ]);
    expect(rerunCommand({ ...kube, showSecrets: true }, 'x').flags).toContain('x-key: a b');
    // The context gives all other settings.
    const inContext = { ...input, context: 'prod', given: new Set(['context', 'node-id']) };
    expect(rerunCommand(inContext, 'xds-inspect').flags).toEqual(['--context', 'prod', '--node-id', 'n']);
  });
});
