import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's own .proto files. */
export function ownProtoFiles(root: string): { path: string; text: string }[] {
  const folder = join(root, 'proto');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.proto'))
    .sort()
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));
}
