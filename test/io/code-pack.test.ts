import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { CodePack, HEADER_BYTES } from '../../src/io/code-pack.js';
import { PackedModules } from '../../src/io/packed-modules.js';
import { asFunction, packOf } from '../../tools/build/code-pack.js';
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

function sourcesOf(modules: Record<string, string>): Map<string, Buffer> {
  return new Map(Object.entries(modules).map(([name, code]) => [name, asFunction(Buffer.from(code))]));
}

function compiledCode(sources: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map([...sources].map(([name, source]) => [name, new Script(source.toString()).createCachedData()]));
}

function write(pack: Buffer): string {
  const path = join(temporaryFolder(), 'code.pack');
  writeFileSync(path, pack);
  return path;
}

/** Loads a module, and returns which modules V8 compiled from their source. */
function load(pack: Buffer) {
  const opened = CodePack.open(write(pack));
  if (opened === undefined) throw new Error('the pack was refused');
  const refused: Record<string, boolean | undefined> = {};
  const require = createRequire(import.meta.url);
  const modules = new PackedModules(opened, '/package/dist', require, (name, { cachedDataRejected }) => {
    refused[name] = cachedDataRejected;
  });
  return { exports: modules.require('./main.js') as Record<string, unknown>, refused };
}

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
    const { exports, refused } = load(packOf(SOURCES, compiledCode(SOURCES)));
    expect(exports).toEqual(EXPORTS);
    expect(refused).toEqual({ 'main.js': false, 'other.js': false });
  });

  it('compiles modules without compiled code', () => {
    const { exports, refused } = load(packOf(SOURCES, new Map()));
    expect(exports).toEqual(EXPORTS);
    expect(refused).toEqual({ 'main.js': undefined, 'other.js': undefined });
  });

  it('compiles all modules when V8 refuses the code of one', () => {
    // Sources of their own: V8 remembers what it has compiled in this process.
    const sources = sourcesOf({ 'main.js': `${MODULES['main.js']}// 1`, 'other.js': `${MODULES['other.js']}// 1` });
    const compiled = compiledCode(sources);
    // The hash of V8's flags.
    compiled.get('main.js')?.fill(0, 8, 16);
    const { exports, refused } = load(packOf(sources, compiled));
    expect(exports).toEqual(EXPORTS);
    expect(refused).toEqual({ 'main.js': true, 'other.js': undefined });
  });

  it('names the file of a module in stack traces', () => {
    const { exports } = load(packOf(SOURCES, compiledCode(SOURCES)));
    expect(exports.fail).toThrow(
      expect.objectContaining({ stack: expect.stringContaining('/package/dist/other.js:') }),
    );
  });

  const PACK = packOf(SOURCES, new Map());
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
    ['without a header', withHeader(() => 'null')],
    ['that is empty', Buffer.alloc(0)],
  ])('is refused: a pack %s', (_what, pack) => {
    expect(CodePack.open(write(pack))).toBeUndefined();
  });

  it('is refused if the file does not exist', () => {
    expect(CodePack.open(join(temporaryFolder(), 'code.pack'))).toBeUndefined();
  });
});
