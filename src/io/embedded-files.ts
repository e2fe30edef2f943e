/** Begins the paths of files in the executable. They are paths on the command line, too. */
const PREFIX = 'package:';

/** `node:sea`. Its types for Node 20 lack the names. */
interface SingleExecutable {
  isSea(): boolean;
  getRawAsset(key: string): ArrayBuffer;
  getAssetKeys(): string[];
}

/** The bytes of a file in the executable. Undefined for another path, and if the command line is not a single executable. */
export function embeddedFile(path: string): Buffer | undefined {
  if (!path.startsWith(PREFIX)) return undefined;
  const bytes = mappedFile(path.slice(PREFIX.length));
  return bytes === undefined ? undefined : Buffer.from(bytes);
}

/** The bytes of a file as they are mapped into memory. A write to them ends the process. */
export function mappedFile(name: string): Buffer | undefined {
  return embeddedNames().has(name) ? Buffer.from(singleExecutable().getRawAsset(name)) : undefined;
}

let names: ReadonlySet<string> | undefined;

/** The names of all files in the executable. Empty if the command line is not a single executable. */
export function embeddedNames(): ReadonlySet<string> {
  names ??= new Set(isSingleExecutable() ? singleExecutable().getAssetKeys() : []);
  return names;
}

export function isSingleExecutable(): boolean {
  return singleExecutable().isSea();
}

export function embeddedPath(name: string): string {
  return `${PREFIX}${name}`;
}

function singleExecutable(): SingleExecutable {
  return process.getBuiltinModule('node:sea') as unknown as SingleExecutable;
}
