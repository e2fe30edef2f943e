import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CodeCache } from '../../src/io/code-cache.js';
import { HEADER_BYTES } from '../../src/io/code-pack.js';
import { temporaryFolder } from '../support/clean-up.js';

const USER = process.geteuid?.() as number;
const BUILD = 'build1';
let count = 0;

/** A package with two modules of its own, so that V8 cannot know them from another test, and a folder for temporary files. */
function installed() {
  const [dist, temporary] = [temporaryFolder(), temporaryFolder()];
  count++;
  writeFileSync(join(dist, 'cli.js'), `exports.run = () => 'run ${count}';`);
  writeFileSync(join(dist, 'other.js'), `exports.run = () => 'other ${count}';`);
  const folder = join(temporary, `xds-inspect-${USER}`);
  return {
    dist,
    temporary,
    folder,
    expected: `run ${count}`,
    file: () => join(folder, readdirSync(folder)[0] as string),
  };
}

type Installed = ReturnType<typeof installed>;

interface Run {
  build?: string;
  userId?: number;
  variables?: Record<string, string>;
  module?: string;
  uptime?: number;
}

function cacheOf({ dist, temporary }: Installed, { build = BUILD, userId = USER, variables }: Run = {}) {
  return CodeCache.of({ variables: { TMPDIR: temporary, ...variables }, flags: [], userId }, build, dist);
}

const require = createRequire(import.meta.url);

/** Runs a command. Returns what it prints, and whether the file had the code that V8 has compiled before. */
function run(where: Installed, options: Run = {}) {
  const cache = cacheOf(where, options);
  if (cache === undefined) throw new Error('no cache');
  const refused: (boolean | undefined)[] = [];
  const modules = cache.modules(require, ({ script }) => refused.push(script.cachedDataRejected));
  const { run: command } = modules.require(options.module ?? './cli.js') as { run(): string };
  const output = command();
  cache.save(options.uptime ?? 1);
  return { output, isCached: refused.every((one) => one === false) };
}

/** Changes the file that the first run has written. */
function changed(where: Installed, change: (bytes: Buffer) => Buffer): void {
  run(where);
  writeFileSync(where.file(), change(readFileSync(where.file())));
}

describe.skipIf(USER === undefined)('the cache of compiled code', () => {
  it('keeps the code of a run in one file that only its user can read, in a folder of the user', () => {
    const where = installed();
    expect(run(where)).toEqual({ output: where.expected, isCached: false });
    expect(run(where)).toEqual({ output: where.expected, isCached: true });
    expect(readdirSync(where.temporary)).toEqual([`xds-inspect-${USER}`]);
    expect(readdirSync(where.folder)).toHaveLength(1);
    expect([statSync(where.folder).mode & 0o777, statSync(where.file()).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('prefers the folder of NODE_COMPILE_CACHE, and creates it', () => {
    const where = installed();
    const variables = { NODE_COMPILE_CACHE: join(where.temporary, 'a/b') };
    run(where, { variables });
    expect(readdirSync(where.temporary)).toEqual(['a']);
    expect(run(where, { variables }).isCached).toBe(true);
  });

  it('adds the modules of later commands to the file, and keeps those of earlier ones', () => {
    const where = installed();
    run(where);
    expect(run(where, { module: './other.js' }).isCached).toBe(false);
    expect(run(where, { module: './other.js' }).isCached).toBe(true);
    expect(run(where).isCached).toBe(true);
  });

  it('keeps the modules of two commands that have started at the same time', () => {
    const where = installed();
    const caches = ['./cli.js', './other.js'].map((module) => {
      const cache = cacheOf(where) as CodeCache;
      cache.modules(require).require(module);
      return cache;
    });
    for (const cache of caches) cache.save(1);
    expect(run(where).isCached).toBe(true);
    expect(run(where, { module: './other.js' }).isCached).toBe(true);
  });

  it('writes nothing if the file is complete', () => {
    const where = installed();
    run(where);
    utimesSync(where.file(), 1, 1);
    run(where);
    expect(statSync(where.file()).mtimeMs).toBe(1000);
  });

  it('writes nothing after a run of more than a minute', () => {
    const where = installed();
    run(where, { uptime: 61 });
    expect(readdirSync(where.temporary)).toEqual([]);
  });

  it('keeps the eight newest files', () => {
    const where = installed();
    for (let i = 1; i <= 9; i++) {
      run(where, { build: `build${i}` });
      for (const name of readdirSync(where.folder).filter((one) => one.startsWith(`build${i}-`)))
        utimesSync(join(where.folder, name), i, i);
    }
    run(where, { build: 'build10' });
    const builds = readdirSync(where.folder).map((name) => Number(name.slice(5).split('-')[0]));
    expect(builds.sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });

  const DAMAGE: Record<string, (bytes: Buffer) => Buffer> = {
    'is empty': () => Buffer.alloc(0),
    'is truncated': (bytes) => bytes.subarray(0, -100),
    'has no modules': (bytes) => bytes.subarray(0, HEADER_BYTES),
    'has the right length and only zeros': (bytes) => Buffer.alloc(bytes.length),
    'has a changed byte in the source': (bytes) => flipped(bytes, HEADER_BYTES + 70),
    'has a changed byte in the compiled code': (bytes) => flipped(bytes, bytes.length - 300),
    'has a changed checksum': (bytes) =>
      headerOf(bytes, (text) => text.replace(/(\d)\]/, (_, d) => `${(Number(d) + 1) % 10}]`)),
    'has a changed length': (bytes) => headerOf(bytes, (text) => text.replace(/\[(\d+),(\d)/, '[$1,9')),
    'has a length without a checksum': (bytes) => headerOf(bytes, (text) => text.replace(/,(\d+)\]/, '.$1]')),
    'has no list of modules': (bytes) => headerOf(bytes, (text) => text.replace('"modules"', '"moduler"')),
    'has a list of numbers': (bytes) =>
      headerOf(bytes, (text) => text.replace(/\[[^\]]*\]/, (list) => '7'.padEnd(list.length))),
  };

  it.each(Object.keys(DAMAGE))('runs the modules of the package, and replaces the file, if it %s', (what) => {
    const where = installed();
    changed(where, DAMAGE[what] as (bytes: Buffer) => Buffer);
    expect(run(where)).toEqual({ output: where.expected, isCached: false });
    expect(run(where)).toEqual({ output: where.expected, isCached: true });
  });

  it('does not use the file of another build', () => {
    const where = installed();
    run(where);
    const first = where.file();
    run(where, { build: 'build2' });
    const second = readdirSync(where.folder).find((name) => name.startsWith('build2')) as string;
    renameSync(first, join(where.folder, second));
    expect(run(where, { build: 'build2' })).toEqual({ output: where.expected, isCached: false });
  });

  const OTHERS: Record<string, (where: Installed) => void> = {
    'the file can be written by the group': ({ file }) => chmodSync(file(), 0o660),
    'everybody can write the file': ({ file }) => chmodSync(file(), 0o602),
    'everybody can write the folder': ({ folder }) => chmodSync(folder, 0o777),
    'the folder is a link': ({ folder, temporary }) => {
      renameSync(folder, join(temporary, 'elsewhere'));
      symlinkSync(join(temporary, 'elsewhere'), folder);
    },
  };

  it.each(Object.keys(OTHERS))('does not use the file if %s', (what) => {
    const where = installed();
    run(where);
    OTHERS[what]?.(where);
    expect(run(where)).toEqual({ output: where.expected, isCached: false });
  });

  it('neither uses nor writes files in a folder of another user', () => {
    const where = installed();
    run(where);
    const foreign = join(where.temporary, `xds-inspect-${USER + 1}`);
    renameSync(where.folder, foreign);
    const before = readdirSync(foreign);
    const userId = USER + 1;
    expect(run(where, { userId, module: './other.js' }).isCached).toBe(false);
    expect(run(where, { userId })).toEqual({ output: where.expected, isCached: false });
    expect(readdirSync(foreign)).toEqual(before);
  });

  const UNUSABLE: Record<string, (path: string) => void> = {
    'a file': (path) => writeFileSync(path, ''),
    // Root can write to any folder.
    ...(USER === 0 ? {} : { 'a folder that cannot be written': (path) => mkdirSync(path, 0o500) }),
  };

  it.each(Object.keys(UNUSABLE))('runs the modules of the package if the folder for temporary files is %s', (what) => {
    const where = installed();
    const path = join(where.temporary, 'readonly');
    UNUSABLE[what]?.(path);
    expect(run(where, { variables: { TMPDIR: path } })).toEqual({ output: where.expected, isCached: false });
  });

  it.each([
    ['NODE_DISABLE_COMPILE_CACHE is set', { variables: { NODE_DISABLE_COMPILE_CACHE: '1' }, flags: [], userId: USER }],
    ['Node has flags', { variables: {}, flags: ['--cpu-prof'], userId: USER }],
    ['the system has no user IDs', { variables: {}, flags: [], userId: undefined }],
  ])('is not used if %s', (_what, owner) => {
    expect(CodeCache.of(owner, BUILD, '/package/dist')).toBeUndefined();
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] as number) ^ 1;
  return bytes;
}

/** Changes the header and keeps its length. */
function headerOf(bytes: Buffer, change: (text: string) => string): Buffer {
  const header = change(bytes.subarray(0, HEADER_BYTES).toString());
  return Buffer.concat([Buffer.from(header.slice(0, HEADER_BYTES).padEnd(HEADER_BYTES)), bytes.subarray(HEADER_BYTES)]);
}
