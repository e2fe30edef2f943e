import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ControlPlaneHost } from '../../src/io/control-plane-host.js';
import { watchDirectory } from '../../src/io/folder-watcher.js';
import { BindFailure, reservePort } from '../../src/io/listening-socket.js';
import { readDirectory } from '../../src/io/resource-directory.js';
import { systemClock } from '../../src/io/system-clock.js';
import { systemDns } from '../../src/io/system-dns.js';
import { ControlPlane } from '../../src/scenario/control-plane.js';
import { scenarioFrom } from '../support/simulate.js';
import { until } from '../support/until.js';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function host(port: number, text = 'servers: { p: {}, q: {} }'): ControlPlaneHost {
  const scenario = scenarioFrom(text);
  const made = new ControlPlaneHost(scenario, new ControlPlane(scenario), {
    host: '127.0.0.1',
    port,
    clock: systemClock,
    onEvent: () => {},
    onFailure: () => {},
  });
  cleanups.push(() => made.close());
  return made;
}

describe('ControlPlaneHost', () => {
  it('assigns consecutive ports to the servers', async () => {
    // Another process may take one of the two ports in the meantime.
    for (let attempt = 0; attempt < 20; attempt++) {
      const { port, release } = await reservePort('127.0.0.1', 0);
      await release();
      const plane = host(port);
      const failure: unknown = await plane.reserve().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure instanceof BindFailure) continue;
      expect(failure).toBeUndefined();
      expect([...plane.addresses]).toEqual([
        ['p', `127.0.0.1:${port}`],
        ['q', `127.0.0.1:${port + 1}`],
      ]);
      return;
    }
    expect.fail('no two ports in a row are free');
  });

  it('reports a port in use in one message', async () => {
    const first = host(0, 'servers: { p: {} }');
    await first.reserve();
    await first.start();
    const port = Number(first.addresses.get('p')?.split(':')[1]);
    await expect(host(port).reserve()).rejects.toThrow(
      new BindFailure(
        `port ${port} on 127.0.0.1 is already in use: stop the process that uses it, or choose another with --port (0 selects a free one)`,
      ),
    );
  });
});

describe('a folder of resources', () => {
  it('is read in path order, and watched', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'b.yaml'), 'b');
    writeFileSync(join(folder, 'a.json'), 'a');
    writeFileSync(join(folder, 'notes.txt'), 'n');
    expect((await readDirectory(folder)).map((f) => f.text)).toEqual(['a', 'b']);
    const changed = new Promise<void>((done) => cleanups.push(watchDirectory(folder, done)));
    writeFileSync(join(folder, 'c.yml'), 'c');
    await changed;
    expect((await readDirectory(folder)).map((f) => f.text)).toEqual(['a', 'b', 'c']);
  });

  it('may contain links to itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'a.json'), 'a');
    mkdirSync(join(folder, 'sub'));
    for (const link of ['here', 'again', 'sub/up']) symlinkSync(folder, join(folder, link));
    expect((await readDirectory(folder)).map((f) => f.text)).toEqual(['a']);
    cleanups.push(watchDirectory(folder, () => {}));
  });

  const CHANGES: [what: string, change: (folder: string, text: string) => void][] = [
    [
      'a file that is replaced',
      (folder, text) => {
        writeFileSync(join(folder, 'a.json.new'), text);
        renameSync(join(folder, 'a.json.new'), join(folder, 'a.json'));
      },
    ],
    ['a file that is written to', (folder, text) => writeFileSync(join(folder, 'a.json'), text)],
    [
      'a file in a new folder',
      (folder, text) => {
        rmSync(join(folder, 'sub'), { recursive: true, force: true });
        mkdirSync(join(folder, 'sub/sub'), { recursive: true });
        writeFileSync(join(folder, 'sub/sub/b.json'), text);
      },
    ],
    [
      'a ConfigMap, whose link is replaced',
      (folder, text) => {
        mkdirSync(join(folder, `..${text}`));
        writeFileSync(join(folder, `..${text}/c.json`), text);
        symlinkSync(`..${text}`, join(folder, '..data_tmp'));
        renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
        if (text === '1') symlinkSync('..data/c.json', join(folder, 'c.json'));
      },
    ],
  ];
  for (const [what, change] of CHANGES) {
    it(`is watched for repeated changes: ${what}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
      cleanups.push(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'a.json'), '0');
      let texts: string[] = [];
      cleanups.push(
        watchDirectory(folder, async () => {
          texts = (await readDirectory(folder)).map(({ text }) => text);
        }),
      );
      for (const text of ['1', '2', '3']) {
        change(folder, text);
        await until(() => texts.includes(text), `${text} is read`);
      }
    });
  }
});

describe('the system ports', () => {
  it('resolve names, or return the reason of the failure', async () => {
    expect(await systemDns.resolve('127.0.0.1', 80)).toEqual({ addresses: ['127.0.0.1:80'] });
    expect(await systemDns.resolve('::1', 80)).toEqual({ addresses: ['[::1]:80'] });
    expect(await systemDns.resolve('name.invalid', 80)).toEqual({ failure: expect.stringContaining('name.invalid') });
  });

  it('wake once, not early, and not after cancellation', async () => {
    const rings: number[] = [];
    const at = systemClock.now() + 30;
    systemClock.wakeAt(at, () => rings.push(systemClock.now() - at));
    systemClock.wakeAt(at, () => rings.push(-1000))();
    systemClock.wakeAt(0, () => rings.push(0));
    await new Promise((done) => systemClock.wakeAt(at + 20, () => done(undefined)));
    expect(rings.length).toBe(2);
    expect(rings.every((late) => late >= 0)).toBe(true);
  });
});
