import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { API_TYPES } from '../../src/proto/api-types.js';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../src/proto/message-type.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli, until } from '../support/cli.js';
import { clusterBytes, LiveServer, type Respond, responseBytes, secretResponse } from '../support/live-server.js';
import { HALF_BROKEN, later, STORY, scenario, serving } from '../support/serving.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'r.xdsrec');
});

const replay = (...flags: string[]) => runCli(['replay', path, ...flags]);

async function liveServer(respond: Respond): Promise<string[]> {
  const server = await LiveServer.start(respond);
  later(() => server.close());
  return ['--server', server.uri, '--plaintext'];
}

/** One valid resource, and one for which the server reports an error. */
async function recordHalf(...flags: string[]): ReturnType<typeof runCli> {
  return await runCli(['get', 'cds', 'blue', 'red', '--record', path, ...flags], await serving(scenario(HALF_BROKEN)));
}

describe('get --record', () => {
  it.each(['yaml', 'json', 'ndjson', 'table', 'name'])('replays the same output with -o %s', async (output) => {
    const live = await recordHalf('-o', output);
    expect(live.stdout).toContain('blue');
    expect(live.stderr).toContain('red: ');
    const { code, stdout, stderr } = await replay('-o', output);
    expect({ code, stdout, stderr }).toEqual({ code: 79, stdout: live.stdout, stderr: live.stderr });
    expect(live.code).toBe(79);
  });

  it('keeps the request with its timeout and NACK', async () => {
    const flags = await liveServer((request, call) => {
      if (request.responseNonce === '') call.write(responseBytes('1', [clusterBytes('blue')]));
    });
    const request = ['get', 'cds', 'blue', 'gone', '--nack', 'no thanks', '--timeout', '300ms'];
    const live = await runCli([...request, '-o', 'json', '-v', '--record', path, ...flags]);
    expect(live.code).toBe(75);
    expect(live.stderr).toMatch(/no thanks[\s\S]*gone: no response within 300 ms/);
    expect(JSON.parse(live.stdout)).toMatchObject({ nack: 'no thanks', missing: ['gone'] });
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0] as string)).toMatchObject({
      schema: 'xds-inspect/recording/v2',
      fetch: {
        typeUrl: API_TYPES.CDS,
        names: ['blue', 'gone'],
        ignoresAuthorities: true,
        nack: 'no thanks',
        follows: false,
        timeoutMs: 300,
      },
    });
    const { code, stdout, stderr } = await replay('get', '-o', 'json', '-v');
    expect({ code, stdout, stderr }).toEqual({ code: 75, stdout: live.stdout, stderr: live.stderr });
  });

  it('keeps all changes of --watch, up to a time if one is given', async () => {
    const flags = await liveServer((request, call) => {
      const version = request.versionInfo === '' ? '1' : '2';
      if (request.versionInfo !== '2') call.write(responseBytes(version, [clusterBytes('blue', Number(version))]));
    });
    const run = startCli(['get', 'cds', '--watch', '-o', 'ndjson', '--record', path, ...flags]);
    later(run.interrupt);
    await until(() => run.stdout.includes('"version":"2"'), 'the second version arrives');
    run.interrupt();
    expect(await run.done).toBe(130);
    // The recorded session was interrupted. The replay is not.
    expect(await replay('-o', 'ndjson')).toMatchObject({ code: 0, stdout: run.stdout });
    expect(await replay('-o', 'ndjson', '--at', '0ms')).toMatchObject({ code: 0, stdout: '' });
    expect(await replay('-o', 'table')).toMatchObject({ code: 64 });
  });

  it('reports missing resources if replayed up to an earlier time', async () => {
    await recordHalf();
    // The clock of the test may stand still until the response has arrived.
    const later = readFileSync(path, 'utf8').replace(/(?<=^\{"at":)\d+/gm, (at) => `${Number(at) + 1000}`);
    writeFileSync(path, later);
    const early = await replay('--at', '999ms');
    expect(early).toMatchObject({ code: 75, stdout: '' });
    expect(early.stderr).toMatch(
      /^xds-inspect: blue: no response yet from 127\.0\.0\.1:\d+\nxds-inspect: red: no response yet/,
    );
  });

  it('omits secrets without --show-secrets', async () => {
    const key = 'nobody-may-see-this-key';
    const flags = await liveServer((_, call) => call.write(secretResponse(key)));
    const bytes = (): string => Buffer.from(parts(readFileSync(path, 'utf8')), 'base64').toString('latin1');
    const hidden = await runCli(['get', 'sds', 'cert', '--record', path, ...flags]);
    expect(hidden.stdout).toContain('[redacted]');
    expect(bytes()).toContain('[redacted]');
    expect(bytes()).not.toContain(key);
    expect((await replay('--show-secrets')).stdout).not.toContain(key);
    expect((await replay()).stdout).toBe(hidden.stdout);
    rmSync(path);
    const shown = await runCli(['get', 'sds', 'cert', '--record', path, '--show-secrets', ...flags]);
    expect(shown.stdout).toContain(key);
    expect((await replay('--show-secrets')).stdout).toBe(shown.stdout);
    expect((await replay()).stdout).toBe(hidden.stdout);
  });

  it('prints user types with the files that define them', async () => {
    writeFileSync(join(folder, 'w.proto'), 'syntax = "proto3"; package acme; message Widget { string name = 1; }');
    const typeUrl = 'type.googleapis.com/acme.Widget';
    const value = Buffer.from('\n\u0001a');
    const response = DiscoveryResponse.create({
      typeUrl,
      versionInfo: '1',
      nonce: '1',
      resources: [{ typeUrl, value }],
    });
    const flags = await liveServer((_, call) => call.write(Buffer.from(encode(DiscoveryResponse, response))));
    const live = await runCli(['get', 'acme.Widget', 'a', '--proto-path', folder, '--record', path, ...flags]);
    expect(live.stdout).toContain('name: a');
    expect(await replay('--proto-path', folder)).toMatchObject({ stdout: live.stdout, stderr: '' });
    expect((await replay()).stdout).toContain('"@type": type.googleapis.com/acme.Widget\n"@error": type not known');
  });

  it.each([
    [['status'], 'made by get and has no targets: omit the view'],
    [['--events'], '-o ndjson prints its events, -v the messages'],
    [['--feature', 'fail_on_data_errors'], 'made by get and has no targets: it has no what-if run'],
    [['--as', 'c-core'], 'it has no what-if run'],
    [['--name', 'blue'], '--name filters the resources of targets'],
    [['-o', 'wide'], '--output takes yaml, json, table, name, ndjson, jsonpath= for this view, not "wide"'],
    [['--fail-on', 'TIMEOUT'], '--fail-on takes NACKED, RECEIVED_ERROR, none, not "TIMEOUT"'],
  ])('rejects %j with 64 and the reason', async (flags, why) => {
    await recordHalf('-q');
    const { code, stdout, stderr } = await replay(...flags);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(why);
  });

  it('is required by the view get', async () => {
    await runCli(['status', 'greeter', '--record', path], await serving(STORY));
    expect(await replay('get')).toMatchObject({
      code: 64,
      stdout: '',
      stderr: expect.stringContaining('the view get requires a recording made by get'),
    });
  });

  it.each([
    ['"names":["blue","red"]', '"names":"blue"', '"fetch" is missing or invalid'],
    ['"names":["blue","red"]', '"names":["xdstp://nobody/x"]', 'this is not an xdstp name'],
    ['"follows":false', '"follows":1', '"fetch" is missing or invalid'],
    ['recording/v2', 'recording/v3', 'this version reads up to xds-inspect/recording/v2'],
  ])('exits with 65 and the reason if %s is changed to %s', async (good, bad, why) => {
    await recordHalf();
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(good);
    writeFileSync(path, text.replace(good, bad));
    const { code, stdout, stderr } = await replay();
    expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
    expect(stderr).toContain(why);
  });
});

/** The first recorded byte sequence. */
function parts(text: string): string {
  return /"parts":\[(?:\{"bytes":)?"([^"]+)"/.exec(text)?.[1] as string;
}
