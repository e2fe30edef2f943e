import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a JSON Schema of the package. */
export function loadSchemaFile(name: string, { packageRoot }: { packageRoot: string }): unknown {
  return JSON.parse(readFileSync(join(packageRoot, 'docs/schemas', `${name}.schema.json`), 'utf8'));
}
