import { CATALOGUE } from './generated/catalogue.js';
import { SECRET_HOLDERS } from './generated/secret-holders.js';
import type { CatalogueField, CatalogueMessage } from './json/catalogue.js';
import { hasSecretField } from './json/secrets.js';
import { NAMED_VALUES, URI_FIELDS } from './secret-places.js';

/** Messages that may contain secrets, directly or in nested messages. */
const SECRET_MESSAGES: ReadonlySet<string> = new Set(SECRET_HOLDERS.map((index) => CATALOGUE.names[index] as string));

export function isSecretHolder(name: string): boolean {
  return SECRET_MESSAGES.has(name);
}

/** A field that is secret or whose message may contain secrets. */
export interface PlannedField {
  field: CatalogueField;
  /** A map whose keys name their values. */
  isNamedByKey: boolean;
  isUri: boolean;
  /** The plan of the message in the field; created on first use. */
  plan: RedactionPlan | undefined;
}

/** The fields to visit in messages of a type. */
export interface RedactionPlan {
  name: string;
  type: CatalogueMessage;
  fields: ReadonlyMap<number, PlannedField>;
  /** Set for messages with secret fields, where an unknown field from a newer API is probably secret too. */
  knownFields: ReadonlyMap<number, unknown> | undefined;
  /** Set for messages that name their values: the path of the name, and the numbers of the values. */
  named: { path: readonly string[]; numbers: ReadonlySet<number> } | undefined;
}

export function planOf(type: CatalogueMessage): RedactionPlan {
  const fields = [...type.byNumber].flatMap(([number, field]) => {
    const planned = plannedField(type, field);
    return planned === undefined ? [] : [[number, planned] as const];
  });
  const named = NAMED_VALUES[type.name];
  return {
    name: type.name,
    type,
    fields: new Map(fields),
    knownFields: hasSecretField(type) ? type.byNumber : undefined,
    named: named && {
      path: named.name,
      numbers: new Set(named.values.flatMap((name) => type.byName.get(name)?.number ?? [])),
    },
  };
}

function plannedField(owner: CatalogueMessage, field: CatalogueField): PlannedField | undefined {
  const { type, mapKey, sensitive, name } = field;
  const isUri = URI_FIELDS[owner.name] === name;
  const isNamedByKey =
    mapKey === 'string' && (type.kind === 'message' ? type.name === 'google.protobuf.Value' : type.kind === 'scalar');
  const isHolder = type.kind === 'message' && isSecretHolder(type.name);
  if (!sensitive && !isUri && !isNamedByKey && !isHolder) return undefined;
  return { field, isNamedByKey, isUri, plan: undefined };
}
