import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCALAR_WIRE_TYPES, type Scalar } from '../../src/proto/wire/scalars.ts';
import type { Field, FieldType, Message, Schema } from './schema.ts';

/** The schema of C-core's decoder, which checks even fields that are not decoded: adds proto/newer-fields.txt. */
export function asCCoreDecodes(schema: Schema, root: string): Schema {
  const messages = new Map([...schema.messages].map(([name, m]) => [name, { ...m, fields: [...m.fields] }]));
  for (const line of readFileSync(join(root, 'proto/newer-fields.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const words = line.split(' ');
    if (words[0] === 'without') removeField(messages, words[1] as string, Number(words[2]));
    else addField(messages, words[0] as string, fieldOf(words, line));
  }
  for (const { fullName, fields } of messages.values()) {
    for (const { type } of fields) {
      if (type.kind === 'message' && !messages.has(type.name)) messages.set(type.name, emptyMessage(type.name));
    }
    if (new Set(fields.map((field) => field.number)).size < fields.length)
      throw new Error(`${fullName}: duplicate field number`);
  }
  return { ...schema, messages };
}

function fieldOf(words: string[], line: string): Field {
  const repeated = words[2] === 'repeated';
  const name = words[repeated ? 3 : 2];
  if (name === undefined) throw new Error(`proto/newer-fields.txt: ${line}`);
  const type: FieldType =
    name in SCALAR_WIRE_TYPES ? { kind: 'scalar', scalar: name as Scalar } : { kind: 'message', name };
  const number = Number(words[1]);
  return {
    number,
    name: `field_${number}`,
    type,
    repeated,
    mapKey: undefined,
    oneof: undefined,
    lazy: false,
    optional: false,
    sensitive: false,
  };
}

function addField(messages: Map<string, Message>, name: string, field: Field): void {
  const message = messages.get(name) ?? emptyMessage(name);
  messages.set(name, message);
  message.fields.push(field);
}

function removeField(messages: Map<string, Message>, name: string, number: number): void {
  const message = messages.get(name);
  if (message !== undefined) message.fields = message.fields.filter((field) => field.number !== number);
}

function emptyMessage(fullName: string): Message {
  return { fullName, packageName: '', localName: '', fields: [] };
}
