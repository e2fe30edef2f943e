import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/root.js';

let folder: string;
const BOOTSTRAP = join(ROOT, 'fixtures/bootstrap/two-servers.json');
const COMMANDS = [['--help'], ['bootstrap', 'validate', BOOTSTRAP], ['validate', join(ROOT, 'fixtures/bootstrap')]];

/** The package without the compiled code of the build, as on a Node that has not built it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-cache-'));
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  rmSync(join(folder, 'dist/code.pack'), { force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bin = (): string => join(folder, 'bin/xds-inspect.js');
const temporaryFolder = (): string => mkdtempSync(join(folder, 'temporary-'));
const environment = (TMPDIR: string, variables = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  TMPDIR,
  ...variables,
});

/** What a user sees of a command. */
function run(argv: string[], temporary: string, variables = {}): object {
  const { status, stdout, stderr } = spawnSync('node', [bin(), ...argv], {
    encoding: 'utf8',
    env: environment(temporary, variables),
  });
  return { status, stdout, stderr };
}

const plain = (argv: string[]): object => run(argv, '/nonexistent', { XDS_INSPECT_NO_CACHE: '1' });

function packIn(temporary: string): string {
  const own = join(temporary, `xds-inspect-${process.geteuid?.()}`);
  expect(readdirSync(temporary)).toEqual([`xds-inspect-${process.geteuid?.()}`]);
  expect(readdirSync(own)).toHaveLength(1);
  return join(own, readdirSync(own)[0] as string);
}

describe('the cache of compiled code', () => {
  it('changes no output, and writes one file that later runs of the same commands do not touch', () => {
    const temporary = temporaryFolder();
    const first = COMMANDS.map((argv) => run(argv, temporary));
    const { ino, mtimeMs } = statSync(packIn(temporary));
    expect(first).toEqual(COMMANDS.map(plain));
    expect(COMMANDS.map((argv) => run(argv, temporary))).toEqual(first);
    expect(statSync(packIn(temporary))).toMatchObject({ ino, mtimeMs });
  });

  it.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['damaged everywhere', (bytes: Buffer) => bytes.map((byte, i) => (i % 1000 === 999 ? byte ^ 1 : byte))],
    [
      'damaged after its header',
      (bytes: Buffer) => bytes.map((byte, i) => (i > 32_768 && i % 99 === 0 ? byte ^ 4 : byte)),
    ],
  ])('is replaced if it is %s, without a change in the output', (_what, damage) => {
    const temporary = temporaryFolder();
    const argv = ['bootstrap', 'validate', BOOTSTRAP];
    const expected = run(argv, temporary);
    const path = packIn(temporary);
    writeFileSync(path, damage(readFileSync(path)));
    const damaged = readFileSync(path);
    expect(run(argv, temporary)).toEqual(expected);
    expect(readFileSync(packIn(temporary)).equals(damaged)).toBe(false);
    expect(run(argv, temporary)).toEqual(expected);
  });

  it('is not read or written with XDS_INSPECT_NO_CACHE or NODE_DISABLE_COMPILE_CACHE', () => {
    const temporary = temporaryFolder();
    for (const variables of [{ XDS_INSPECT_NO_CACHE: '1' }, { NODE_DISABLE_COMPILE_CACHE: '1' }])
      expect(run(['--help'], temporary, variables)).toEqual(plain(['--help']));
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is written once by commands that start at the same time', async () => {
    const temporary = temporaryFolder();
    const runs = [...COMMANDS, ...COMMANDS].map(
      (argv) =>
        new Promise<object>((done) => {
          const child = spawn('node', [bin(), ...argv], { env: environment(temporary) });
          const seen = { status: null as number | null, stdout: '', stderr: '' };
          child.stdout.on('data', (text) => {
            seen.stdout += text;
          });
          child.stderr.on('data', (text) => {
            seen.stderr += text;
          });
          child.on('close', (status) => done({ ...seen, status }));
        }),
    );
    expect(await Promise.all(runs)).toEqual([...COMMANDS, ...COMMANDS].map(plain));
    packIn(temporary);
  });

  it('is not needed: commands work without HOME and with a folder for temporary files that does not exist', () => {
    const missing = join(folder, 'missing/file');
    writeFileSync(join(folder, 'missing'), '');
    expect(run(['--help'], missing)).toEqual(plain(['--help']));
    expect(existsSync(missing)).toBe(false);
  });
});
