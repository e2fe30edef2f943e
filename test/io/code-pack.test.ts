import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { CodePack, HEADER_BYTES, nodeBuild } from '../../src/io/code-pack.js';
import { asFunction, type ModuleBytes, packOf } from '../../src/io/pack-bytes.js';
import { PackedModules } from '../../src/io/packed-modules.js';
import { temporaryFolder } from '../support/clean-up.js';

const MODULES = {
  'main.js': `
    exports.name = 'main';
    const other = require('./other.js');
    exports.other = other.describe();
    exports.fail = other.fail;
    exports.again = require('./other.js') === other;
    exports.file = __filename;
    exports.join = require('node:path').join('a', 'b');`,
  'other.js': `
    const main = require('./main.js');
    exports.describe = () => main.name + ' → other';
    exports.fail = () => { throw new Error('failed'); };`,
};

type Modules = ReadonlyMap<string, ModuleBytes>;

function sourcesOf(modules: Record<string, string>): Modules {
  return new Map(
    Object.entries(modules).map(([name, code]) => [
      name,
      { source: Buffer.from(asFunction(code)), compiled: Buffer.alloc(0) },
    ]),
  );
}

function compiled(modules: Modules, change = (_name: string, code: Buffer): Buffer => code): Modules {
  return new Map(
    [...modules].map(([name, { source }]) => {
      const code = new Script(Buffer.from(source).toString()).createCachedData();
      return [name, { source, compiled: change(name, code) }];
    }),
  );
}

function write(pack: Buffer): string {
  const path = join(temporaryFolder(), 'code.pack');
  writeFileSync(path, pack);
  return path;
}

/** Loads a module, and returns which modules V8 compiled from their source. */
function load(modulesOfPack: Modules) {
  const opened = CodePack.open(write(packOf(KEY, modulesOfPack)), KEY);
  if (opened === undefined) throw new Error('the pack was refused');
  const refused: Record<string, boolean | undefined> = {};
  const require = createRequire(import.meta.url);
  const modules = new PackedModules(
    (name) => opened.read(name),
    '/package/dist',
    require,
    (name, { script }) => {
      refused[name] = script.cachedDataRejected;
    },
  );
  return { exports: modules.require('./main.js') as Record<string, unknown>, refused };
}

const KEY = nodeBuild();
const SOURCES = sourcesOf(MODULES);
const EXPORTS = {
  fail: expect.any(Function),
  name: 'main',
  other: 'main → other',
  again: true,
  file: '/package/dist/main.js',
  join: 'a/b',
};

describe('a code pack', () => {
  it('loads modules as Node does, with the code that V8 has compiled', () => {
    const { exports, refused } = load(compiled(SOURCES));
    expect(exports).toEqual(EXPORTS);
    expect(refused).toEqual({ 'main.js': false, 'other.js': false });
  });

  it('compiles modules without compiled code', () => {
    const { exports, refused } = load(SOURCES);
    expect(exports).toEqual(EXPORTS);
    expect(refused).toEqual({ 'main.js': undefined, 'other.js': undefined });
  });

  it('compiles all modules when V8 refuses the code of one', () => {
    // Sources of their own: V8 remembers what it has compiled in this process.
    const sources = sourcesOf({ 'main.js': `${MODULES['main.js']}// 1`, 'other.js': `${MODULES['other.js']}// 1` });
    // The hash of V8's flags.
    const { exports, refused } = load(
      compiled(sources, (name, code) => (name === 'main.js' ? code.fill(0, 8, 16) : code)),
    );
    expect(exports).toEqual(EXPORTS);
    expect(refused).toEqual({ 'main.js': true, 'other.js': undefined });
  });

  it('names the file of a module in stack traces', () => {
    const { exports } = load(compiled(SOURCES));
    expect(exports.fail).toThrow(
      expect.objectContaining({ stack: expect.stringContaining('/package/dist/other.js:') }),
    );
  });

  const PACK = packOf(KEY, SOURCES);
  const withHeader = (change: (header: string) => string): Buffer => {
    const header = change(PACK.subarray(0, HEADER_BYTES).toString().trimEnd()).padEnd(HEADER_BYTES);
    return Buffer.concat([Buffer.from(header), PACK.subarray(HEADER_BYTES)]);
  };

  it.each([
    ['of another build of Node', withHeader((text) => text.replace(process.versions.v8, '11.3.0-other'))],
    ['of another machine', withHeader((text) => text.replace(` ${process.arch}"`, ' other"'))],
    ['that is truncated', PACK.subarray(0, -1)],
    ['without modules', PACK.subarray(0, HEADER_BYTES)],
    ['with a damaged header', withHeader((text) => text.slice(1))],
    ['without a list of modules', withHeader((text) => text.replace('"modules"', '"moduler"'))],
    ['without a header', withHeader(() => 'null')],
    ['that is empty', Buffer.alloc(0)],
  ])('is refused: a pack %s', (_what, pack) => {
    expect(CodePack.open(write(pack), KEY)).toBeUndefined();
  });

  it('is refused if the file does not exist', () => {
    expect(CodePack.open(join(temporaryFolder(), 'code.pack'), KEY)).toBeUndefined();
  });
});
