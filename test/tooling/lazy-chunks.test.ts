import { describe, expect, it } from 'vitest';
import { withLazyChunks } from '../../tools/build/lazy-chunks.js';

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
