import type { Field, Message, Schema } from './schema.ts';

/**
 * Merges the project's own messages into the published API: adds the fields that the published files lack, and requires
 * that all others are equal. A wrong field number in proto/ fails the build here.
 */
export function mergeSchemas(published: Schema, own: Schema): Schema {
  const problems: string[] = [];
  const messages = new Map([...published.messages].map(([name, m]) => [name, { ...m, fields: [...m.fields] }]));
  for (const message of own.messages.values()) {
    const base = messages.get(message.fullName);
    if (base === undefined) messages.set(message.fullName, message);
    else problems.push(...mergeMessage(base, message));
  }
  const enums = new Map([...published.enums].map(([name, e]) => [name, { ...e, values: new Map(e.values) }]));
  for (const own_ of own.enums.values()) {
    const base = enums.get(own_.fullName);
    if (base === undefined) enums.set(own_.fullName, own_);
    else
      for (const [name, number] of own_.values) {
        const before = base.values.get(name);
        if (before !== undefined && before !== number)
          problems.push(`${own_.fullName}.${name}: ${number}, published as ${before}`);
        base.values.set(name, number);
      }
  }
  if (problems.length > 0) throw new Error(`proto/ disagrees with the published API:\n  ${problems.join('\n  ')}`);
  return { messages, enums, unresolved: published.unresolved };
}

function mergeMessage(base: Message, own: Message): string[] {
  const problems: string[] = [];
  for (const field of own.fields) {
    const before = base.fields.find((f) => f.number === field.number || f.name === field.name);
    if (before === undefined) base.fields.push(field);
    else if (shape(before) !== shape(field))
      problems.push(`${own.fullName}: ${shape(field)}, published as ${shape(before)}`);
  }
  // The last member of a oneof on the wire wins, so a decoder that lacks a member would use an earlier one.
  for (const missing of base.fields) {
    if (missing.oneof === undefined || own.fields.some((f) => f.number === missing.number)) continue;
    if (own.fields.some((f) => f.oneof === missing.oneof))
      problems.push(`${own.fullName}: oneof ${missing.oneof} lacks ${missing.name}`);
  }
  base.fields.sort((a, b) => a.number - b.number);
  return problems;
}

function shape(field: Field): string {
  const type = field.type.kind === 'scalar' ? field.type.scalar : field.type.name;
  const label = field.mapKey ? `map<${field.mapKey}, ${type}>` : field.repeated ? `repeated ${type}` : type;
  return `${label} ${field.name} = ${field.number}${field.oneof ? ` in ${field.oneof}` : ''}`;
}
