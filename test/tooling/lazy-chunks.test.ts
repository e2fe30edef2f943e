import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { withLazyChunks, withPlainExports } from '../../tools/build/lazy-chunks.js';

/** Runs a chunk. Returns its exports, and the names of the chunks that it has loaded so far. */
function run(code: string, chunks: Record<string, object>) {
  const loaded: string[] = [];
  const module: { exports: Record<string, () => unknown> } = { exports: {} };
  const require = (file: string): object => {
    loaded.push(file);
    return chunks[file] ?? {};
  };
  new Function('module', 'require', withLazyChunks(code))(module, require);
  return { exports: module.exports, loaded };
}

const CHUNK = `module.exports={add:()=>(0,import_chunk_A.add)(1,import_chunk_B.TWO),one:()=>import_chunk_B.ONE};
var import_chunk_A=require("./chunk-A.js"),import_chunk_B=require("./chunk-B.js");require("./chunk-C.js");`;
const CHUNKS = {
  './chunk-A.js': { add: (a: number, b: number) => a + b },
  './chunk-B.js': { ONE: 1, TWO: 2 },
};

describe('withLazyChunks', () => {
  it('loads a chunk at its first use, and only once', () => {
    const { exports, loaded } = run(CHUNK, CHUNKS);
    expect(loaded).toEqual([]);
    expect(exports.one?.()).toBe(1);
    expect(loaded).toEqual(['./chunk-B.js']);
    expect(exports.add?.()).toBe(3);
    expect(exports.add?.()).toBe(3);
    expect(loaded).toEqual(['./chunk-B.js', './chunk-A.js']);
  });

  it("keeps imports of Node's modules and of packages", () => {
    const code = 'var import_node_fs=require("node:fs");require("@grpc/grpc-js");import_node_fs.readFileSync();';
    expect(withLazyChunks(code)).toBe(code);
  });
});

describe('withPlainExports', () => {
  /** As the build converts a chunk, and runs it. */
  async function chunk(code: string, chunks: Record<string, object> = {}) {
    const options = { format: 'cjs', platform: 'node', minifySyntax: true, minifyWhitespace: true } as const;
    const converted = await transform(code, { ...options, supported: { 'dynamic-import': false } });
    const plain = withPlainExports(converted.code);
    const module: { exports: Record<string, unknown> } = { exports: {} };
    new Function('module', 'require', plain)(module, (file: string) => chunks[file]);
    return { exports: module.exports, plain };
  }

  it('exports the same values with one object, without the helpers of esbuild', async () => {
    const { exports, plain } = await chunk("export const one = 1; export { one as 'a name' }; export class A {}");
    expect(exports).toEqual({ one: 1, 'a name': 1, A: expect.any(Function) });
    expect(plain).not.toMatch(/__export|__toCommonJS|__defProp/);
  });

  it('exports a function as a value, unless it is assigned', async () => {
    const { exports, plain } = await chunk(
      'export function fixed() { return 1; } export function replaced() { return 2; } export const f = () => { replaced = fixed; };',
    );
    expect(Object.getOwnPropertyDescriptor(exports, 'fixed')?.value).toEqual(expect.any(Function));
    (exports.f as () => void)();
    expect((exports.replaced as () => number)()).toBe(1);
    expect(plain).toContain('fixed:fixed');
  });

  it('exports the current value of a variable, and what another chunk exports', async () => {
    const { exports } = await chunk(
      "import { two } from './chunk-B.js'; export let count = 0; export const add = () => { count++; }; export { two };",
      { './chunk-B.js': { two: 2 } },
    );
    (exports.add as () => void)();
    expect(exports).toMatchObject({ count: 1, two: 2 });
  });

  it('imports a chunk as it is, and a module of Node with its default export', async () => {
    const { exports, plain } = await chunk(
      "import fs from 'node:fs'; export const name = fs.name; export const later = () => import('./chunk-B.js');",
      { './chunk-B.js': CHUNKS['./chunk-B.js'], 'node:fs': { name: 'fs' } },
    );
    expect(exports.name).toBe('fs');
    expect(await (exports.later as () => Promise<object>)()).toBe(CHUNKS['./chunk-B.js']);
    expect(plain).toContain('__toESM(require("node:fs"))');
  });
});
