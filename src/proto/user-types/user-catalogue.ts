import {
  type Catalogue,
  type CatalogueField,
  type CatalogueMessage,
  type CatalogueType,
  describeEnum,
  describeMessage,
} from '../json/catalogue.js';
import { lowerCamel } from '../lower-camel.js';
import type { DraftEnum, DraftField, DraftMessage, Drafts } from './draft.js';

const MAX_FIELD = 0x1fffffff;

/**
 * Combines the types of files with a catalogue. A type in the files takes precedence, because it may be newer. The
 * well-known types of the catalogue stay, because they have custom JSON forms. Also returns the fields whose types are
 * not declared; these are printed by number.
 */
export function userCatalogue(
  drafts: readonly Drafts[],
  base: Catalogue,
): { catalogue: Catalogue; unresolved: string[] } {
  const messages = new Map<string, DraftMessage>();
  const enums = new Map<string, DraftEnum>();
  for (const draft of drafts) {
    for (const message of draft.messages) if (!isWellKnown(message.fullName)) setFirst(messages, message);
    for (const type of draft.enums) if (!isWellKnown(type.fullName)) setFirst(enums, type);
  }
  const kindOf = (name: string): CatalogueType | undefined => {
    if (messages.has(name)) return { kind: 'message', name };
    if (enums.has(name)) return { kind: 'enum', name };
    if (base.message(name) !== undefined) return { kind: 'message', name };
    return base.enumType(name) === undefined ? undefined : { kind: 'enum', name };
  };
  const unresolved: string[] = [];
  const messageTypes = new Map(
    [...messages].map(([name, m]) => [name, messageFrom(m, kindOf, base.message(name), unresolved)]),
  );
  const enumTypes = new Map([...enums].map(([name, type]) => [name, describeEnum(name, type.values)]));
  const catalogue: Catalogue = {
    message: (name) => messageTypes.get(name) ?? base.message(name),
    enumType: (name) => enumTypes.get(name) ?? base.enumType(name),
    messageNames: () => new Set([...messageTypes.keys(), ...base.messageNames()]),
  };
  return { catalogue, unresolved };
}

function isWellKnown(name: string): boolean {
  return name.startsWith('google.protobuf.');
}

function setFirst<T extends { fullName: string }>(types: Map<string, T>, type: T): void {
  if (!types.has(type.fullName)) types.set(type.fullName, type);
}

function messageFrom(
  { fullName, fields }: DraftMessage,
  kindOf: (name: string) => CatalogueType | undefined,
  known: CatalogueMessage | undefined,
  unresolved: string[],
): CatalogueMessage {
  const byNumber = new Map<number, CatalogueField>();
  for (const draft of [...fields].sort((a, b) => a.number - b.number)) {
    if (draft.number < 1 || draft.number > MAX_FIELD || byNumber.has(draft.number)) continue;
    const type = typeOf(draft, fullName, kindOf);
    if (type === undefined) {
      unresolved.push(`${fullName}.${draft.name}: ${'name' in draft.type ? draft.type.name : ''}`);
      continue;
    }
    const { number, name, repeated, mapKey, oneof } = draft;
    // A field that the API marks as secret stays secret, even if a copy of the API does not mark it.
    const sensitive = draft.sensitive || known?.byNumber.get(number)?.sensitive === true;
    const jsonName = draft.jsonName ?? lowerCamel(name);
    byNumber.set(number, { number, name, jsonName, type, repeated, mapKey, oneof, sensitive });
  }
  return describeMessage(fullName, [...byNumber.values()]);
}

function typeOf(
  { type }: DraftField,
  scope: string,
  kindOf: (name: string) => CatalogueType | undefined,
): CatalogueType | undefined {
  if ('scalar' in type) return { kind: 'scalar', scalar: type.scalar };
  if (type.name.startsWith('.')) return kindOf(type.name.slice(1));
  const outer = scope.split('.');
  for (let length = outer.length; length >= 0; length--) {
    const found = kindOf([...outer.slice(0, length), type.name].join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}
