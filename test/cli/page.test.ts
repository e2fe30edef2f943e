import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { feedRecording } from '../../src/inspect/feed-recording.js';
import { recordHistory } from '../../src/inspect/history/recorded-history.js';
import { remoteAnswer } from '../../src/inspect/remote-answer.js';
import { contentKey } from '../../src/view/page-data.js';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT, runCli, startCli, until } from '../support/cli.js';
import { hashOf, ReadPage } from '../support/report-page.js';
import { HALF_BROKEN, later, scenario, serving } from '../support/serving.js';
import { textRecording } from '../support/text-recording.js';
import { MARK, planted, SCENARIO, withNode } from './planted-secrets.js';

const RECORDING = join(ROOT, 'fixtures/recordings/first-look.xdsrec');
const NOWHERE = ['--server', '127.0.0.1:1', '--plaintext', '--timeout', '200ms'];
const BREAKOUT = `</script><script>alert(1)</script><!--<script>"'&`;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
const path = (name: string): string => join(folder, name);

async function pageOf(argv: string[], variables: Record<string, string> = {}): Promise<ReadPage & { code: number }> {
  const { stdout, stderr, code } = await runCli([...argv, '-o', 'html'], variables);
  expect(stdout.slice(0, 15), stderr).toBe('<!doctype html>');
  return Object.assign(new ReadPage(stdout), { code });
}

describe('a report page', () => {
  it('allows only its own code and styles, by hash', async () => {
    const page = await pageOf(['replay', RECORDING]);
    expect(page.scripts).toHaveLength(2);
    expect(page.policy).toBe(
      [
        "default-src 'none'",
        `script-src ${page.scripts.map(hashOf).join(' ')}`,
        `style-src ${page.styles.map(hashOf).join(' ')}`,
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    );
  });

  it('refers to nothing outside the file', async () => {
    const { markup, styles } = await pageOf(['replay', RECORDING]);
    expect(markup).not.toMatch(/\b(?:src|href|action|style|on\w+)=/i);
    expect(markup).not.toMatch(/https?:/);
    expect(styles.join('')).not.toMatch(/@import|url\((?!["']?data:)/i);
  });

  it('has at most 600 kB before data, with RE2', async () => {
    const { html } = await pageOf(['replay', RECORDING, '--name', 'a.*']);
    const withoutData = html.replace(/(<script[^>]* id="[^>]*>)[\s\S]*?(?=<\/script)/g, '$1');
    expect(withoutData.length).toBeGreaterThan(50_000);
    expect(withoutData.length).toBeLessThanOrEqual(600_000);
  });

  it('embeds the recording without a change', async () => {
    const { data, recording } = bound(await pageOf(['replay', RECORDING]));
    expect(recording().lines.join('\n')).toBe(readFileSync(RECORDING, 'utf8').trimEnd());
    expect(data).toMatchObject({ mode: 'recording', title: 'first-look.xdsrec', version: '1.2.3', initial: {} });
  });

  it('embeds the contents of every version in use or rejected, once', async () => {
    const variables = await serving(join(ROOT, 'fixtures/scenarios/causes/kept-old-version-cds.yaml'));
    const page = await pageOf(['report', 'greeter', '--timeout', '20s', '--for', '1s'], variables);
    const { header, lines } = page.recording();
    const { history, replaying } = recordHistory(header);
    await feedRecording({ file: textRecording(lines), header, until: undefined }, replaying);
    const entries = history.at(history.end).snapshot.flatMap((scope) => scope.entries);
    const keys = entries.flatMap(({ typeUrl, bytes, rejected }) =>
      [bytes, rejected].flatMap((one) => (one === undefined ? [] : [contentKey(typeUrl, one)])),
    );
    const contents = page.contents();
    expect(contents.map(({ key }) => key).sort()).toEqual(keys.sort());
    expect(keys.length).toBeGreaterThan(2);
    for (const { yaml, json } of contents) expect(yaml).toContain((json as { '@type': string })['@type']);
    expect(contents.some(({ notes }) => notes.length > 0)).toBe(true);
  });

  it.each(['</script>', '<!--', '<script>'])('does not let %s in a target end an element', async (text) => {
    const { html, markup, data, code } = await pageOf(['status', BREAKOUT + text, ...NOWHERE]);
    expect(code).toBe(69);
    expect(data.title).toBe(BREAKOUT + text);
    expect(markup.match(/<script/g)).toHaveLength(5);
    expect(html.match(/<!--/g)).toBe(null);
    expect(/<title>(.*)<\/title>/.exec(markup)?.[1]).not.toMatch(/[<>"]/);
  });

  it('embeds RE2 only if a resource has a regular expression, or --name is given', async () => {
    const scripts = async (...argv: string[]): Promise<number> => (await pageOf(argv, regex)).scripts.length;
    const regex = await serving(scenario(SCENARIO));
    expect(await scripts('status', 'greeter', '--timeout', '20s')).toBe(3);
    expect(await scripts('replay', RECORDING)).toBe(2);
    expect(await scripts('replay', RECORDING, '--name', 'a.*')).toBe(3);
  });

  it('has the flags that filter resources and findings', async () => {
    const argv = ['--type', 'LDS,CDS', '--name', 'gr.*', '--status', 'ACKED', '--suppress', 'XI205'];
    const { data } = await pageOf(['replay', RECORDING, 'status', ...argv]);
    expect(data.filter).toEqual({ type: ['LDS', 'CDS'], name: 'gr.*', status: ['ACKED'] });
    expect(data.suppress).toEqual(['XI205']);
  });
});

function bound<T extends ReadPage>(page: T): { data: T['data']; recording: T['recording'] } {
  return { data: page.data, recording: (client) => page.recording(client) };
}

describe('the first state of a page', () => {
  const CALL = ['--method', '/a.B/C', '--header', 'env:canary', '--deadline', '5s'];
  const call = { side: 'rpc', method: '/a.B/C', headers: [['env', 'canary']], deadlineMs: 5000 };
  it.each<[string[], object]>([
    [[], {}],
    [['report'], {}],
    [['explain', ...CALL], call],
    [['explain', '--header', `authorization:${MARK}`], { side: 'rpc', headers: [['authorization', '[redacted]']] }],
    [['tears'], { tab: 'tears' }],
    [['--at', '12ms'], { at: 12 }],
    [['explain', ...CALL, '--at', '12ms'], { at: 12, ...call }],
    [['--as', 'c-core'], { side: 'whatif', whatIf: { as: 'c-core' } }],
    [
      ['status', '--feature', 'fail_on_data_errors', '--feature', 'trusted_xds_server=off', '--resource-timer', '1s'],
      {
        side: 'whatif',
        whatIf: { features: { fail_on_data_errors: true, trusted_xds_server: false }, resourceTimerMs: 1000 },
      },
    ],
  ])('follows the command: replay %s', async (argv, state) => {
    const { data } = await pageOf(['replay', RECORDING, ...argv]);
    expect(data.initial).toEqual(state);
  });

  it('includes the listeners that a probe listed', async () => {
    const variables = await serving('first-look');
    const { data } = await pageOf(['greter', '--timeout', '1s'], variables);
    expect(data.clients[0]?.listed).toMatchObject([{ scope: 'xds:///greter', names: ['greeter'] }]);
  });
});

describe('the commands with a page', () => {
  it('keep their exit codes', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    for (const argv of [['report'], ['status'], ['explain'], ['tears', '--for', '1s']]) {
      const [command = '', ...more] = argv;
      const line = [command, 'greeter', ...more, ...(command === 'tears' ? [] : ['--timeout', '20s'])];
      const [page, plain] = [await pageOf(line, variables), await runCli(line, variables)];
      expect(page.code, command).toBe(plain.code);
    }
  });

  it.each<[string, string[]]>([
    ['report', []],
    ['status', ['-o', 'json']],
    ['explain', []],
    ['config', ['-o', 'yaml']],
    ['wait', []],
    ['tears', ['--for', '1s']],
    ['watch', ['--for', '1s', '-o', 'ndjson']],
  ])('write it to --html FILE beside the output of %s', async (command, flags) => {
    const variables = await serving('first-look');
    const file = path(`${command}.html`);
    const { code, stdout, stderr } = await runCli([command, 'greeter', ...flags, '--html', file], variables);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('greeter');
    expect(stdout).not.toContain('<html');
    const page = new ReadPage(readFileSync(file, 'utf8'));
    expect(page.data.title).toBe('greeter');
    expect(page.recording().lines.length).toBeGreaterThan(10);
  });

  it('write it beside a recording, which is the same session', async () => {
    const variables = await serving('first-look');
    const [file, recording] = [path('recorded.html'), path('recorded.xdsrec')];
    const { code } = await runCli(
      ['record', 'greeter', '--for', '1s', '-q', '-f', recording, '--html', file],
      variables,
    );
    expect(code).toBe(0);
    const [header, ...inputs] = readFileSync(recording, 'utf8').trimEnd().split('\n');
    const embedded = new ReadPage(readFileSync(file, 'utf8')).recording();
    const { start } = JSON.parse(header ?? '') as { start: number };
    const shift = embedded.header.start - start;
    const times = (lines: string[]): unknown[] => lines.map((line) => JSON.parse(line) as { at: number; kind: string });
    const shifted = times(embedded.lines.slice(1, -1)).map((one) => ({ ...(one as { at: number }), at: 0 }));
    expect(shift).toBeLessThan(5000);
    expect(shifted).toEqual(times(inputs.slice(0, -1)).map((one) => ({ ...(one as object), at: 0 })));
  });

  it('write it when they are interrupted', async () => {
    const variables = await serving('first-look');
    const file = path('interrupted.html');
    const run = startCli(['watch', 'greeter', '--html', file], variables);
    await until(() => / OK\b/.test(run.stdout), 'resources arrive');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(new ReadPage(readFileSync(file, 'utf8')).contents()).toHaveLength(4);
  });

  it('embed the report and one recording per client with check', async () => {
    const [one, two] = [await serving('first-look'), await serving('first-look')];
    writeFileSync(path('one.json'), one.GRPC_XDS_BOOTSTRAP_CONFIG);
    writeFileSync(path('two.json'), two.GRPC_XDS_BOOTSTRAP_CONFIG);
    const targets = ['one.json', 'two.json'].map((bootstrap) => ({ target: 'greeter', bootstrap, ready: true }));
    const more = {
      target: 'greeter',
      bootstrap: 'one.json',
      node_id: 'other',
      resources: { 'CDS/x': { status: 'ACKED' } },
    };
    writeFileSync(path('expectations.yaml'), JSON.stringify({ targets: [...targets, more] }));
    const page = await pageOf(['check', path('expectations.yaml'), '--timeout', '20s']);
    expect(page.code).toBe(79);
    expect(page.data).toMatchObject({ title: 'check expectations.yaml', initial: { tab: 'check' } });
    expect(page.data.check).toMatchObject({ schema: 'xds-inspect/check/v1', failed: 1 });
    expect(page.data.clients).toHaveLength(3);
    const nodes = page.data.clients.map(
      (_, i) => (page.recording(i).header.bootstrap as { node: { id: string } }).node.id,
    );
    expect(nodes).toEqual(['demo-node', 'demo-node', 'other']);
    const replayed = await pageOf(['replay', RECORDING, 'check', path('expectations.yaml')]);
    expect(replayed.data.check).toMatchObject({ schema: 'xds-inspect/check/v1' });
  });
});

describe('the page of csds', () => {
  it('embeds the responses, from which the same state can be read', async () => {
    const variables = await serving(scenario(SCENARIO));
    // Serves the secrets, so that the page has to remove them.
    const client = startCli(['watch', 'greeter', '--csds-port', '0', '--show-secrets'], variables);
    later(client.interrupt);
    await until(() => client.stderr.includes('CSDS on ') && client.stdout.includes('EDS'), 'resources arrive');
    const address = /CSDS on (\S+)/.exec(client.stderr)?.[1] as string;
    const page = await pageOf(['csds', address, '127.0.0.1:1', '--plaintext', '--connect-timeout', '1s']);
    expect(page.code).toBe(69);
    const { dump, mode, clients } = page.data;
    expect([mode, clients]).toEqual(['csds', []]);
    const [read, dead] = dump?.answers ?? [];
    expect(dead).toMatchObject({ address: '127.0.0.1:1', response: null, problems: [expect.any(String)] });
    const bytes = new Uint8Array(page.blob(read?.response ?? -1));
    const options = { as: 'spec', defaultAuthority: undefined, now: dump?.now ?? 0 } as const;
    const answer = remoteAnswer(address, { bytes, resolutions: new Map(read?.resolutions) }, options);
    const { stdout } = await runCli(['csds', address, '--plaintext', '-o', 'json']);
    const { verdict } = JSON.parse(stdout) as { verdict: string };
    expect(answer.clients[0]?.verdicts).toMatchObject([{ target: 'xds:///greeter', verdict }]);
    const keys = new Set(page.contents().map(({ key }) => key));
    const entries = answer.clients.flatMap(({ snapshot }) => snapshot.entries);
    expect(entries.length).toBeGreaterThan(3);
    for (const { typeUrl, bytes: one } of entries)
      if (one !== undefined) expect(keys).toContain(contentKey(typeUrl, one));
    expect(page.everything).not.toContain(MARK);

    const explained = await pageOf(['csds', address, '--plaintext', '--view', 'explain', '--method', '/a.B/C']);
    expect(explained.data.initial).toEqual({ side: 'rpc', method: '/a.B/C' });
    const file = path('watched.html');
    const argv = ['csds', address, '--plaintext', '--watch', '--for', '1s', '--html', file];
    await runCli(argv);
    expect(new ReadPage(readFileSync(file, 'utf8')).data.mode).toBe('csds');
    const watched = await runCli(['csds', address, '--plaintext', '--watch', '-o', 'html']);
    expect([watched.code, watched.stderr]).toEqual([64, 'xds-inspect: -o html excludes --watch\n']);
  });
});

describe('secrets', () => {
  it('are neither in the page of a session nor in that of a recording with secrets', async () => {
    const config = await serving(scenario(SCENARIO));
    const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: withNode(config.GRPC_XDS_BOOTSTRAP_CONFIG) };
    const argv = ['report', 'greeter', 'bad', '--timeout', '20s', '--node-metadata', `token=${planted('flag')}`];
    const page = await pageOf(argv, variables);
    expect(page.everything).not.toContain(MARK);
    expect(page.everything).toContain('[redacted]');
    expect(page.everything).toContain('visible');

    const kept = path('kept.xdsrec');
    const shown = await pageOf([...argv, '--show-secrets', '--record', kept], variables);
    for (const place of ['exact', 'struct', 'node', 'flag', 'metadata'])
      expect(shown.everything).toContain(planted(place));
    expect(readFileSync(kept, 'utf8')).toContain(MARK);
    const replayed = await pageOf(['replay', kept], {});
    expect(replayed.everything).not.toContain(MARK);
    expect(replayed.recording().header.secrets).toBe('redacted');
    const keys = new Set(replayed.contents().map(({ key }) => key));
    expect(keys.size).toBeGreaterThan(4);
  });

  it('are only readable for the owner of the file', async () => {
    for (const [name, flags] of [
      ['private.html', ['--show-secrets']],
      ['public.html', []],
    ] as const) {
      await runCli(['status', 'greeter', ...NOWHERE, '--html', path(name), ...flags]);
    }
    expect(statSync(path('private.html')).mode & 0o777).toBe(0o600);
    expect(statSync(path('public.html')).mode & 0o777).toBe(0o666 & ~process.umask());
  });
});

describe('the file of --html', () => {
  const write = async (file: string) => await runCli(['replay', RECORDING, '--html', file]);

  it('replaces an existing file with the same mode, and that of a link', async () => {
    const [file, link] = [path('old.html'), path('link.html')];
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    symlinkSync(file, link);
    expect((await write(link)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('<!doctype html>');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(link, 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('can be a device', async () => {
    expect((await write('/dev/null')).code).toBe(0);
  });

  it.each([
    ['', 64, '--html requires a file name; -o html writes to stdout'],
    ['-', 64, '--html requires a file name; -o html writes to stdout'],
    ['missing/x.html', 65, '--html FILE: cannot be written: no such folder'],
    ['folder.html', 65, '--html FILE: cannot be written: it is a folder'],
  ])('is checked before the command connects: %j', async (name, code, sentence) => {
    mkdirSync(path('folder.html'), { recursive: true });
    const file = name.length > 1 ? path(name) : name;
    const run = await runCli(['status', 'greeter', '--server', '127.0.0.1:1', '--plaintext', '--html', file]);
    expect([run.code, run.stdout, run.stderr]).toEqual([code, '', `xds-inspect: ${sentence.replace('FILE', file)}\n`]);
    expect(existsSync(path('missing'))).toBe(false);
  });

  it('is reported in one sentence if writing fails', async () => {
    const run = await runCli(['replay', RECORDING, '--html', '/dev/full']);
    expect(run.code).toBe(65);
    expect(run.stderr).toMatch(/^xds-inspect: --html \/dev\/full: cannot be written: ENOSPC.*\n$/);
  });
});

describe('-o html', () => {
  it('is not printed on a terminal', async () => {
    const run = await runCli(['status', 'greeter', ...NOWHERE, '-o', 'html'], {}, true);
    expect([run.code, run.stdout, run.stderr]).toEqual([
      64,
      '',
      'xds-inspect: -o html is for a browser: redirect it (> report.html), or use --html report.html instead\n',
    ]);
  });

  it('requires targets: a recording made by get has none', async () => {
    const variables = await serving('first-look');
    const recording = path('get.xdsrec');
    await runCli(['get', 'cds', '--timeout', '1s', '--record', recording], variables);
    for (const flags of [
      ['-o', 'html'],
      ['--html', path('get.html')],
    ]) {
      const run = await runCli(['replay', recording, ...flags]);
      expect([run.code, run.stderr]).toEqual([
        64,
        'xds-inspect: this recording was made by get and has no targets: a report page cannot show it\n',
      ]);
    }
  });

  it('excludes --init, which prints expectations', async () => {
    const run = await runCli(['check', '--init', 'greeter', ...NOWHERE, '-o', 'html']);
    expect([run.code, run.stderr]).toEqual([64, 'xds-inspect: -o html excludes --init: it prints expectations\n']);
  });

  it('shows a damaged recording up to the damage, and why it ends', async () => {
    const damaged = path('damaged.xdsrec');
    const lines = readFileSync(RECORDING, 'utf8').split('\n').slice(0, 10);
    writeFileSync(damaged, `${lines.join('\n')}\n{"at":1,"kind":"?"}\n`);
    const page = await pageOf(['replay', damaged]);
    const { lines: embedded } = page.recording();
    expect(embedded.slice(0, 10)).toEqual(lines);
    expect(JSON.parse(embedded[10] ?? '')).toMatchObject({ kind: 'end', reason: expect.stringContaining('line 11') });
  });
});
