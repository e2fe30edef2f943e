import { SCALAR_WIRE_TYPES, type Scalar } from '../../src/proto/wire/scalars.ts';
import { emitWriter } from './emit-writers.ts';
import {
  members,
  messageNamed,
  packageFile,
  property,
  readerMethod,
  scalarDefault,
  scalarType,
  WRAPPERS,
} from './naming.ts';
import type { Enum, Field, FieldType, Message, Schema } from './schema.ts';

interface Context {
  schema: Schema;
  /** Functions and tables that messages of a package share, by their source text. */
  hoisted: Map<string, string>;
  packageName: string;
  imports: Map<string, Set<string>>;
  tableOf: (message: string) => number;
  writable: ReadonlySet<string>;
}

/** The TypeScript source of one package: types, readers and, for `writable` messages, writers. */
export function emitPackage(
  schema: Schema,
  packageName: string,
  tableOf: (message: string) => number,
  writable: ReadonlySet<string>,
): string {
  const context: Context = { schema, packageName, imports: new Map(), hoisted: new Map(), tableOf, writable };
  const messages = [...schema.messages.values()].filter(
    (m) => m.packageName === packageName && !(m.fullName in WRAPPERS),
  );
  const enums = [...schema.enums.values()].filter((e) => e.packageName === packageName);
  const body = [...enums.map(emitEnum), ...messages.map((m) => emitMessage(m, context))].join('\n');
  const imports = [...context.imports].map(
    ([file, names]) => `import { ${[...names].sort().join(', ')} } from '${file}';`,
  );
  return [
    '// Generated from proto/ by tools/generate. Do not edit.',
    ...runtimeImports([...context.hoisted.keys(), body].join('\n')),
    ...imports,
    '',
    ...[...context.hoisted].map(([value, name]) => `const ${name} = ${value};`),
    '',
    body,
  ].join('\n');
}

const RUNTIME: [file: string, kind: 'import' | 'import type', names: string[]][] = [
  ['../message-type.js', 'import type', ['MessageType', 'WritableType']],
  [
    '../wire/fields.js',
    'import',
    ['append', 'isEager', 'NO_BYTES', 'NO_ELEMENTS', 'NO_ENTRIES', 'readEntry', 'readWrapped'],
  ],
  ['../wire/lazy.js', 'import', ['readLazy']],
  ['../wire/lazy.js', 'import type', ['Lazy']],
  ['../wire/message-list.js', 'import', ['appendLater']],
  ['../wire/message-list.js', 'import type', ['Repeated']],
  ['../wire/reader.js', 'import type', ['Reader']],
  ['../wire/skim.js', 'import', ['skimField']],
  ['../wire/writer.js', 'import type', ['Writer']],
];

function runtimeImports(body: string): string[] {
  return RUNTIME.flatMap(([file, kind, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
    return used.length === 0 ? [] : [`${kind} { ${used.join(', ')} } from '${file}';`];
  });
}

/** Moves an expression into a constant: evaluating it for every field costs more than reading the field. */
function hoist(context: Context, expression: string): string {
  const name = context.hoisted.get(expression) ?? `HOISTED_${context.hoisted.size}`;
  context.hoisted.set(expression, name);
  return name;
}

/** The name of a message or enum in this package; adds an import if another package declares it. */
function refer(context: Context, name: string, prefix = ''): string {
  const target = context.schema.messages.get(name) ?? context.schema.enums.get(name);
  if (target === undefined) throw new Error(`no type ${name}`);
  const local = prefix + target.localName;
  if (target.packageName === context.packageName) return local;
  const file = `./${packageFile(target.packageName).replace(/\.ts$/, '.js')}`;
  const alias = `${local}$${target.packageName.replaceAll('.', '_')}`;
  const names = context.imports.get(file) ?? new Set();
  names.add(`${prefix === '' ? 'type ' : ''}${local} as ${alias}`);
  context.imports.set(file, names);
  return alias;
}

function emitEnum(type: Enum): string {
  const values = [...type.values].map(([name, number]) => `  ${name}: ${number},`);
  return `export const ${type.localName} = {\n${values.join('\n')}\n} as const;\nexport type ${type.localName} = number;\n`;
}

function emitMessage(message: Message, context: Context): string {
  const name = message.localName;
  const list = members(message);
  const types = list.map((m) =>
    'field' in m
      ? `  ${property(m.field.name)}: ${fieldTsType(m.field, context)};`
      : `  ${property(m.oneof)}: ${m.fields.map((f) => `{ kind: '${property(f.name)}'; value: ${valueType(f.type, context)} }`).join(' | ')} | undefined;`,
  );
  const defaults = list.map((m) =>
    'field' in m ? `${property(m.field.name)}: ${fieldDefault(m.field)}` : `${property(m.oneof)}: undefined`,
  );
  const cases = message.fields.flatMap((field) => emitCases(field, context));
  const writable = context.writable.has(message.fullName);
  const parameter = message.fields.length === 0 ? '_message' : 'm';
  const lines = [
    message.fields.length === 0
      ? `export type ${name} = Record<never, never>;`
      : `export interface ${name} {\n${types.join('\n')}\n}`,
    `export function new${name}(): ${name} {\n  return { ${defaults.join(', ')} };\n}`,
    `export function read${name}(r: Reader, ${parameter}: ${name}): ${name} {`,
    '  while (r.pos < r.end) {',
    '    const tag = r.tag();',
    ...(cases.length === 0
      ? [`    skimField(r, tag, ${context.tableOf(message.fullName)});`]
      : [
          '    switch (tag) {',
          ...cases.map((c) => `      ${c}`),
          `      default: skimField(r, tag, ${context.tableOf(message.fullName)});`,
          '    }',
        ]),
    '  }',
    `  return ${parameter};`,
    '}',
    ...(writable ? [emitWriter(message, (type) => refer(context, type, 'write'))] : []),
    `export const ${name}: ${writable ? 'WritableType' : 'MessageType'}<${name}> = {`,
    `  typeName: '${message.fullName}',`,
    `  create: (init) => (init === undefined ? new${name}() : { ...new${name}(), ...init }),`,
    `  read: read${name},`,
    ...(writable ? [`  write: write${name},`] : []),
    '};',
    '',
  ];
  return lines.join('\n');
}

function valueType(type: FieldType, context: Context): string {
  if (type.kind === 'scalar') return scalarType(type.scalar);
  if (type.kind === 'enum') return 'number';
  const wrapped = WRAPPERS[type.name];
  return wrapped === undefined ? refer(context, type.name) : scalarType(wrapped);
}

function fieldTsType(field: Field, context: Context): string {
  const value = valueType(field.type, context);
  if (field.mapKey !== undefined) return `ReadonlyMap<${scalarType(field.mapKey)}, ${value}>`;
  if (isMessageList(field)) return `Repeated<${value}>`;
  if (field.repeated) return `readonly ${value}[]`;
  if (field.lazy) return `Lazy<${value}> | undefined`;
  return field.type.kind === 'message' || field.optional ? `${value} | undefined` : value;
}

/** A list of messages, whose elements may be decoded later. */
function isMessageList({ repeated, mapKey, type }: Field): boolean {
  return repeated && mapKey === undefined && type.kind === 'message' && WRAPPERS[type.name] === undefined;
}

function fieldDefault(field: Field): string {
  if (field.mapKey !== undefined) return 'NO_ENTRIES';
  if (field.repeated) return 'NO_ELEMENTS';
  if (field.type.kind === 'message' || field.optional) return 'undefined';
  return field.type.kind === 'enum' ? '0' : scalarDefault(field.type.scalar);
}

function initial(type: FieldType, context: Context): string {
  if (type.kind === 'scalar') return scalarDefault(type.scalar);
  if (type.kind === 'enum') return '0';
  const wrapped = WRAPPERS[type.name];
  return wrapped === undefined ? `${refer(context, type.name, 'new')}()` : scalarDefault(wrapped);
}

function wireType(type: FieldType): number {
  if (type.kind === 'message') return 2;
  return type.kind === 'enum' ? 0 : SCALAR_WIRE_TYPES[type.scalar];
}

/** An expression that reads one value; a message is merged into `current`. */
function readValue(type: FieldType, current: string, context: Context, r = 'r'): string {
  if (type.kind === 'enum') return `${r}.int32()`;
  if (type.kind === 'scalar') return `${r}.${readerMethod(type.scalar)}()`;
  const wrapped = WRAPPERS[type.name];
  if (wrapped === undefined) return `${r}.message(${refer(context, type.name, 'read')}, ${current})`;
  const read = hoist(context, `(r: Reader) => r.${readerMethod(wrapped)}()`);
  return `readWrapped(${r}, ${current}, ${(1 << 3) | SCALAR_WIRE_TYPES[wrapped]}, ${read})`;
}

function emitCases(field: Field, context: Context): string[] {
  const p = `m.${property(field.name)}`;
  const tag = (field.number * 8 + wireType(field.type)).toString();
  if (field.lazy && field.type.kind === 'message') {
    return [`case ${tag}: ${p} = readLazy(r, ${p}, ${context.tableOf(field.type.name)}); break;`];
  }
  const fresh = initial(field.type, context);
  if (field.mapKey !== undefined)
    return [`case ${field.number * 8 + 2}: ${p} = ${emitEntry(field, field.mapKey, p, context)}; break;`];
  if (isMessageList(field) && field.type.kind === 'message') {
    const [read, create] = [refer(context, field.type.name, 'read'), refer(context, field.type.name, 'new')];
    const now = `{ const outer = r.open(); ${p} = append(${p}, ${read}(r, ${create}())); r.leave(outer); }`;
    const later = `${p} = appendLater(r, ${p}, ${read}, ${create}, ${context.tableOf(field.type.name)});`;
    return [`case ${tag}: if (isEager(r, ${p})) ${now} else ${later} break;`];
  }
  if (field.repeated) {
    const one = (value: string): string => `${p} = append(${p}, ${value})`;
    const cases = [`case ${tag}: ${emitRead(field.type, fresh, context, one)}`];
    if (wireType(field.type) !== 2)
      cases.push(
        `case ${field.number * 8 + 2}: r.packed(() => { ${one(readValue(field.type, fresh, context))}; }); break;`,
      );
    return cases;
  }
  if (field.oneof !== undefined && !field.optional) {
    const o = `m.${property(field.oneof)}`;
    const kind = property(field.name);
    const current = field.type.kind === 'message' ? `${o}?.kind === '${kind}' ? ${o}.value : ${fresh}` : fresh;
    const assign = (value: string): string => `${o} = { kind: '${kind}', value: ${value} }`;
    return [`case ${tag}: ${emitRead(field.type, current, context, assign)}`];
  }
  if (field.name === 'type_url') return [`case ${tag}: ${p} = r.typeUrl(); break;`];
  const current = field.type.kind === 'message' ? `${p} ?? ${fresh}` : fresh;
  return [`case ${tag}: ${emitRead(field.type, current, context, (value) => `${p} = ${value}`)}`];
}

/** Statements that read a value and pass it to `use`. A separate call reads a submessage, so that V8 can inline it. */
function emitRead(type: FieldType, current: string, context: Context, use: (value: string) => string): string {
  if (type.kind !== 'message' || WRAPPERS[type.name] !== undefined)
    return `${use(readValue(type, current, context))}; break;`;
  const call = `${refer(context, type.name, 'read')}(r, ${current})`;
  return `{ const outer = r.open(); ${use(call)}; r.leave(outer); break; }`;
}

function emitEntry(field: Field, keyType: Scalar, p: string, context: Context): string {
  const key = `{ tag: ${8 + SCALAR_WIRE_TYPES[keyType]}, create: () => ${scalarDefault(keyType)}, read: (r: Reader) => r.${readerMethod(keyType)}() }`;
  const type = valueType(field.type, context);
  const parameters = field.type.kind === 'message' ? `(r: Reader, v: ${type})` : '(r: Reader)';
  const value = `{ tag: ${16 + wireType(field.type)}, create: () => ${initial(field.type, context)}, read: ${parameters} => ${readValue(field.type, 'v', context)} }`;
  return `readEntry(r, ${p}, ${hoist(context, key)}, ${hoist(context, value)})`;
}

/** Every message that `roots` contain, directly or indirectly. */
export function closure(schema: Schema, roots: string[]): Set<string> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name) || name in WRAPPERS) return;
    reached.add(name);
    for (const field of messageNamed(schema, name).fields) if (field.type.kind === 'message') visit(field.type.name);
  };
  roots.forEach(visit);
  return reached;
}
