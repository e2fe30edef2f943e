import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import type { Recorder } from '../../src/inspect/source.js';
import type { CliEnvironment } from '../../src/io/environment.js';
import { startRecorder } from '../../src/io/recorder.js';
import type { Disk } from '../../src/io/recording-file.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli } from '../support/cli.js';
import { clusterBytes, responseBytes } from '../support/live-server.js';
import { later } from '../support/serving.js';

const PLENTY = 1e9;
const SERVERS = '{"xds_servers":[{"server_uri":"p:1","channel_creds":[{"type":"insecure"}]}]}';

let folder: string;
let stderrText: string;
beforeEach(() => {
  folder = temporaryFolder();
  stderrText = '';
});

async function recorderTo(path: string, disk: Disk): Promise<Recorder> {
  const read = readBootstrap(new TextEncoder().encode(SERVERS), readSwitches({}, 'spec'));
  if (!read.ok) throw new Error(read.message);
  const environment = {
    preset: 'spec' as const,
    variables: {},
    userAgentName: 'test',
    userAgentVersion: '0',
    interfaces: new Map(),
    seed: 1,
  };
  const stderr = { write: (text: string) => (stderrText += text) };
  const env = {
    clock: { now: () => 0 },
    version: '1.2.3',
    stderr,
    atExit: () => () => {},
  } as unknown as CliEnvironment;
  const client = { bootstrap: read.bootstrap, origin: 'a test', environment };
  return await startRecorder(client, { record: path, showSecrets: false }, env, disk);
}

/** Records a target whose cluster changes repeatedly. */
function recordSome(recorder: Recorder, responses: number): void {
  const target = 'xds:///greeter';
  recorder.record({ kind: 'follow', scope: target, target, listener: 'greeter', authority: 'greeter' }, 0);
  recorder.record({ kind: 'connectivity', channel: 1, state: 'ready', reason: '' }, 1);
  recorder.record({ kind: 'sent', stream: 1 }, 2);
  for (let i = 0; i < responses; i++) {
    const bytes = responseBytes(String(i), [clusterBytes(`c${i}`, 100)]);
    recorder.record({ kind: 'message', stream: 1, bytes }, 10 + i);
  }
}

const replay = (path: string) => runCli(['replay', path, '-o', 'name', '--fail-on', 'none']);

describe('a recording that reaches its maximum size', () => {
  it.each(['r.xdsrec', 'r.xdsrec.gz'])('stops with a message and can be replayed: %s', async (name) => {
    const path = join(folder, name);
    const recorder = await recorderTo(path, { write: writeSync, maxBytes: 5000 });
    recordSome(recorder, 100);
    expect(stderrText).toBe(`xds-inspect: recording to ${path} stopped: the file has reached its maximum size\n`);
    recorder.close();
    expect(stderrText.split('\n').length).toBe(2);
    const text = name.endsWith('.gz') ? gunzipSync(readFileSync(path)).toString() : readFileSync(path, 'utf8');
    expect(text).toMatch(/"kind":"end","reason":"the file is full"}\n$/);
    expect(text.length).toBeGreaterThan(3500);
    expect(text.length).toBeLessThanOrEqual(5000);
    const { stdout, stderr } = await replay(path);
    expect(stderr).toContain('it ends before the session: the file is full. Showing the session up to there: ');
    expect(stdout).toBe('LDS/greeter\n');
  });
});

describe('a full disk', () => {
  it.runIf(existsSync('/dev/full'))('stops the recording with one message, and not the session', async () => {
    const full = openSync('/dev/full', 'w');
    later(() => closeSync(full));
    const path = join(folder, 'r.xdsrec');
    const write: Disk['write'] = (_, bytes, at) => writeSync(full, bytes, at);
    const recorder = await recorderTo(path, { write, maxBytes: PLENTY });
    // More than one write buffers.
    recordSome(recorder, 2000);
    expect(stderrText).toBe(`xds-inspect: recording to ${path} stopped: ENOSPC: no space left on device, write\n`);
    recordSome(recorder, 10);
    recorder.close();
    recorder.close();
    expect(stderrText.split('\n').length).toBe(2);
  });

  it('is reported at the end of the recording too', async () => {
    const path = join(folder, 'r.xdsrec');
    let isFull = false;
    const write: Disk['write'] = (_, bytes, at) => {
      if (isFull) throw new Error('ENOSPC');
      return bytes.length - at;
    };
    const recorder = await recorderTo(path, { write, maxBytes: PLENTY });
    isFull = true;
    recordSome(recorder, 1);
    expect(stderrText).toBe('');
    recorder.close();
    expect(stderrText).toBe(`xds-inspect: recording to ${path} stopped: ENOSPC\n`);
  });

  it.each(['r.xdsrec', 'r.xdsrec.gz'])('leaves a recording that can be replayed up to that point: %s', async (name) => {
    const path = join(folder, name);
    let room = name.endsWith('.gz') ? 600 : 3000;
    const write: Disk['write'] = (file, bytes, at) => {
      if (room === 0) throw new Error('ENOSPC');
      const taken = writeSync(file, bytes, at, Math.min(room, bytes.length - at));
      room -= taken;
      return taken;
    };
    const recorder = await recorderTo(path, { write, maxBytes: PLENTY });
    recordSome(recorder, 100);
    recorder.close();
    expect(stderrText).toContain('stopped: ENOSPC');
    const { stdout, stderr } = await replay(path);
    expect(stdout).toBe('LDS/greeter\n');
    expect(stderr).toContain('Showing the session up to there: ');
  });
});

describe('an error in a recording', () => {
  it('quotes no password and no token of a URI', async () => {
    const path = join(folder, 'errors.xdsrec');
    const recorder = await recorderTo(path, { write: writeSync, maxBytes: PLENTY });
    const secret = 'https://user:hush@proxy:3128/?token=hush';
    recorder.record({ kind: 'connectivity', channel: 1, state: 'transient-failure', reason: `at ${secret}` }, 1);
    recorder.record({ kind: 'ended', stream: 1, status: { code: 14, message: `at ${secret}` } }, 2);
    recorder.close();
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain('hush');
    expect(text.split('at https://[redacted]@proxy:3128/?token=[redacted]')).toHaveLength(3);
  });
});
