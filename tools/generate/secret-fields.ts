import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from './schema.ts';

/** Marks the secrets that the published API forgets to mark, by proto/secret-fields.txt. */
export function markSecretFields(schema: Schema, root: string): void {
  for (const line of readFileSync(join(root, 'proto/secret-fields.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [message, name] = line.split(' ') as [string, string];
    const field = schema.messages.get(message)?.fields.find((one) => one.name === name);
    if (field === undefined) throw new Error(`proto/secret-fields.txt: no field ${message}.${name}`);
    field.sensitive = true;
  }
}
