import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from './schema.ts';

/** Marks the secret fields in proto/secret-fields.txt, which the published API does not mark. */
export function markSecretFields(schema: Schema, root: string): void {
  for (const line of readFileSync(join(root, 'proto/secret-fields.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [message, name, reason] = line.split(' ') as [string, string, string | undefined];
    const field = schema.messages.get(message)?.fields.find((one) => one.name === name);
    if (field === undefined) throw new Error(`proto/secret-fields.txt: no field ${message}.${name}`);
    if (reason === undefined) throw new Error(`proto/secret-fields.txt: no reason for ${message}.${name}`);
    field.sensitive = true;
  }
}
