import { HEADER_BYTES, type PackEntry, type PackHeader } from './code-pack.js';

/** A module and the code that V8 has compiled from it; empty if there is none. */
export interface ModuleBytes {
  source: Uint8Array;
  compiled: Uint8Array;
}

/**
 * The bytes of a pack.
 * @param checksumOf Returns undefined for a pack that is read without checksums.
 */
export function packOf(
  key: string,
  modules: ReadonlyMap<string, ModuleBytes>,
  checksumOf: (bytes: Uint8Array) => number | undefined = () => undefined,
): Buffer {
  const entries: Record<string, PackEntry> = {};
  const parts: Uint8Array[] = [];
  let size = HEADER_BYTES;
  for (const [name, { source, compiled }] of modules) {
    const bytes = Buffer.concat([source, compiled]);
    const checksum = checksumOf(bytes);
    entries[name] = [
      size,
      source.length,
      compiled.length,
      ...(checksum === undefined ? [] : [checksum]),
    ] as const as PackEntry;
    parts.push(bytes);
    size += bytes.length;
  }
  const header: PackHeader = { key, size, modules: entries };
  const line = Buffer.from(JSON.stringify(header));
  if (line.length > HEADER_BYTES) throw new Error(`the header of the pack has ${line.length} bytes`);
  return Buffer.concat([line, Buffer.alloc(HEADER_BYTES - line.length, ' '), ...parts]);
}

/** A module is the body of a function, as in Node. */
export function asFunction(code: string): string {
  return `(function(exports,require,module,__filename,__dirname){${code}\n})`;
}
