import type { PackageFiles } from './package-files.js';

/** Reads a JSON Schema of the package. */
export function loadSchemaFile(name: string, { packageFiles }: { packageFiles: PackageFiles }): unknown {
  return JSON.parse(packageFiles.read(`docs/schemas/${name}.schema.json`).toString());
}
