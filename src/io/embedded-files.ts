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
  const bytes = readOnlyFile(path.slice(PREFIX.length));
  return bytes === undefined ? undefined : Buffer.from(bytes);
}

/** The bytes of a file as they are mapped into memory. A write to them ends the process. */
export function readOnlyFile(name: string): Buffer | undefined {
  const executable = singleExecutable();
  return executable?.getAssetKeys().includes(name) ? Buffer.from(executable.getRawAsset(name)) : undefined;
}

export function embeddedNames(): string[] {
  return singleExecutable()?.getAssetKeys() ?? [];
}

export function embeddedPath(name: string): string {
  return `${PREFIX}${name}`;
}

function singleExecutable(): SingleExecutable | undefined {
  const found = process.getBuiltinModule('node:sea') as unknown as SingleExecutable;
  return found.isSea() ? found : undefined;
}
