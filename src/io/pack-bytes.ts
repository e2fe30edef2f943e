import { checksumOf, HEADER_BYTES, type PackEntry, type PackHeader } from './code-pack.js';

/** A module and the code that V8 has compiled from it; empty if there is none. */
export interface ModuleBytes {
  source: Uint8Array;
  compiled: Uint8Array;
}

/** The bytes of a pack. */
export function packOf(key: string, modules: ReadonlyMap<string, ModuleBytes>, hasChecksums = false): Buffer {
  const entries: Record<string, PackEntry> = {};
  const parts: Uint8Array[] = [];
  let size = HEADER_BYTES;
  for (const [name, { source, compiled }] of modules) {
    const bytes = Buffer.concat([source, compiled]);
    const place = [size, source.length, compiled.length] as const;
    entries[name] = hasChecksums ? [...place, checksumOf(bytes)] : place;
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
