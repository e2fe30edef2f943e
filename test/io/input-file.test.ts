import { execFileSync, spawn } from 'node:child_process';
import { existsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { readInput, readRegularFile, readStream } from '../../src/io/input-file.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli } from '../support/cli.js';
import { later } from '../support/serving.js';

const MIB = 1024 * 1024;
const LIMIT = 'it has more than 1 MiB, the limit for this kind of file';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

function file(name: string, bytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, '');
  truncateSync(path, bytes);
  return path;
}

describe('reading an input file', () => {
  it('reads a file of the maximum size, and refuses a larger one without reading it', async () => {
    expect(await readInput(file('fits', MIB), MIB)).toHaveLength(MIB);
    expect(readRegularFile(file('fits-too', MIB), MIB)).toHaveLength(MIB);
    const sparse = file('sparse', 2 ** 42);
    await expect(readInput(sparse, MIB)).rejects.toThrow(LIMIT);
    expect(() => readRegularFile(sparse, MIB)).toThrow(LIMIT);
  });

  it('stops at the limit of an endless device', async () => {
    await expect(readInput('/dev/zero', MIB)).rejects.toThrow(LIMIT);
    expect(() => readRegularFile('/dev/zero', MIB)).toThrow('it is not a regular file');
  });

  it('stops at the limit of an endless stream, and destroys it', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1000);
      })(),
    );
    await expect(readStream(endless, MIB)).rejects.toThrow(LIMIT);
    expect(endless.destroyed).toBe(true);
  });

  it('reads a named pipe whose writer comes later, to its end', async () => {
    const path = pipe('late');
    const reading = readInput(path, MIB);
    const writer = spawn('sh', ['-c', `(echo one; sleep 0.1; echo two) > ${path}`]);
    later(() => writer.kill());
    expect((await reading).toString()).toBe('one\ntwo\n');
  });

  it('refuses a pipe where the file is read again', () => {
    expect(() => readRegularFile(pipe('again'), MIB)).toThrow('it is not a regular file');
  });

  it.each(['readInput', 'readRegularFile'] as const)('refuses a folder: %s', async (how) => {
    const reading = async () => (how === 'readInput' ? await readInput(folder, MIB) : readRegularFile(folder, MIB));
    await expect(reading()).rejects.toThrow('EISDIR');
  });
});

describe.concurrent('every command that reads files', () => {
  const SERVER = ['--server', '127.0.0.1:1', '--plaintext', '--timeout', '1s'];
  const commands: Record<string, { argv: (path: string) => string[]; limit: string }> = {
    bootstrap: { argv: (path) => ['bootstrap', 'validate', path], limit: '16 MiB' },
    'bootstrap to connect': { argv: (path) => ['status', 'x', '--bootstrap', path], limit: '16 MiB' },
    resources: { argv: (path) => ['validate', path], limit: '128 MiB' },
    expectations: { argv: (path) => ['check', path, ...SERVER], limit: '16 MiB' },
    // The file may contain resources.
    scenario: { argv: (path) => ['serve', path, '--port', '0'], limit: '128 MiB' },
    'descriptor set': { argv: (path) => ['get', 'LDS', ...SERVER, '--descriptor-set', path], limit: '128 MiB' },
    recording: { argv: (path) => ['replay', path], limit: '2 GiB' },
    'CA certificates': {
      argv: (path) => ['status', 'x', '--server', '127.0.0.1:1', '--cacert', path],
      limit: '16 MiB',
    },
    'CA certificates of csds': { argv: (path) => ['csds', '127.0.0.1:1', '--cacert', path], limit: '16 MiB' },
  };
  const names = Object.keys(commands);

  it.each(names)('refuses a file of a terabyte and names the limit: %s', async (name) => {
    const { argv, limit } = commands[name] as (typeof commands)[string];
    const path = file(`huge-${name.replaceAll(' ', '-')}`, 2 ** 40);
    const { code, stdout, stderr } = await runCli(argv(path));
    expect(`${stdout}${stderr}`).toContain(`it has more than ${limit}, the limit for this kind of file`);
    expect(code).toBe(65);
  });

  it.runIf(existsSync('/dev/zero')).each(names)('refuses an endless device: %s', async (name) => {
    const { argv } = commands[name] as (typeof commands)[string];
    const { code, stdout, stderr } = await runCli(argv('/dev/zero'));
    expect(`${stdout}${stderr}`).toMatch(/it has more than \d+ MiB, the limit|it is not a regular file/);
    expect(code).toBe(65);
  });

  it.each(['proto', 'json'])('refuses a huge file in a folder: .%s', async (kind) => {
    const path = temporaryFolder();
    writeFileSync(join(path, `huge.${kind}`), '');
    truncateSync(join(path, `huge.${kind}`), 2 ** 40);
    const argv = kind === 'proto' ? ['get', 'LDS', ...SERVER, '--proto-path', path] : ['serve', path, '--port', '0'];
    const { code, stderr } = await runCli(argv);
    expect(stderr).toContain('MiB, the limit for this kind of file');
    expect(code).toBe(65);
  });

  it('refuses a huge file that a scenario or a bootstrap names', async () => {
    const path = temporaryFolder();
    writeFileSync(join(path, 'huge'), '');
    truncateSync(join(path, 'huge'), 2 ** 40);
    writeFileSync(join(path, 's.yaml'), 'resources: { a: { file: huge } }\nservers: { p: {} }');
    const served = await runCli(['serve', join(path, 's.yaml'), '--port', '0']);
    expect([served.code, served.stderr]).toEqual([65, expect.stringContaining('128 MiB, the limit')]);
    const tls = { type: 'tls', config: { ca_certificate_file: join(path, 'huge') } };
    writeFileSync(join(path, 'b.json'), JSON.stringify({ xds_servers: [{ server_uri: 'a:1', channel_creds: [tls] }] }));
    const linted = await runCli(['bootstrap', 'validate', join(path, 'b.json')]);
    expect(linted.stdout).toContain('16 MiB, the limit');
  });

  it.each(names)('is not blocked by a named pipe without a writer: %s', async (name) => {
    const { argv } = commands[name] as (typeof commands)[string];
    const path = pipe(`silent-${name.replaceAll(' ', '-')}`);
    const run = startCli(argv(path));
    // The test process itself can run, so a signal would end the program.
    const writer = spawn('sh', ['-c', `printf '\\000' > ${path}`]);
    later(() => writer.kill());
    expect([65, 79]).toContain(await run.done);
  });
});
