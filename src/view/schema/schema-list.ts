import { didYouMean } from '../../base/nearest.js';
import { API_TYPES } from '../../proto/api-types.js';
import { resourceType } from '../../proto/find-resource-type.js';
import type { Catalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';

/** The schemas in docs/schemas, of which some are completed when they are printed. */
const FILES = {
  bootstrap: 'Bootstrap of a gRPC client or server',
  expectations: 'Expectations of check',
  scenario: 'Scenario of serve and demo',
  contexts: 'Configuration file with named control planes',
  event: 'A line of watch -o ndjson',
} as const;

export type SchemaFile = keyof typeof FILES;

const RESOURCES = 'resources';

/** Other names by short type. */
const ALIASES: Readonly<Record<string, string>> = {
  LDS: 'listener',
  RDS: 'route',
  CDS: 'cluster',
  EDS: 'endpoint',
  SDS: 'secret',
};

export interface SchemasDocument {
  schema: 'xds-inspect/schemas/v1';
  schemas: { name: string; alias: string | null; of: string }[];
}

/** All schemas with a name of their own. */
export function schemaList(): SchemasDocument {
  const files = Object.entries(FILES).map(([name, of]) => ({ name, alias: null, of }));
  const all = {
    name: RESOURCES,
    alias: null,
    of: 'Files that validate reads: resources, lists, responses',
  };
  const types = Object.entries(API_TYPES).map(([name, typeUrl]) => ({
    name,
    alias: ALIASES[name] ?? null,
    of: typeNameOf(typeUrl),
  }));
  return { schema: 'xds-inspect/schemas/v1', schemas: [...files, all, ...types] };
}

/** The words that select a schema, except the messages of the API. */
export function schemaWords(): string[] {
  return schemaList().schemas.flatMap(({ name, alias }) => (alias === null ? [name] : [name, alias]));
}

export type FoundSchema =
  | { kind: 'file'; name: SchemaFile }
  | { kind: 'resources' }
  | { kind: 'message'; typeUrl: string }
  | { problem: string };

/** Finds a schema by a word in any case, or by a type as `get` takes it. */
export function findSchema(word: string, catalogue: Catalogue): FoundSchema {
  const name = [...Object.keys(FILES), RESOURCES].find((one) => isName(one, word.toLowerCase()));
  if (name === RESOURCES) return { kind: 'resources' };
  if (name !== undefined) return { kind: 'file', name: name as SchemaFile };
  const type = resourceType(word, catalogue);
  if (!('problem' in type)) {
    if (type.remark === undefined) return { kind: 'message', typeUrl: type.typeUrl };
    const message = typeNameOf(type.typeUrl);
    return { problem: `${message} is not in the xDS API${didYouMean(message, catalogue.messageNames())}` };
  }
  if (type.problem.includes('is ambiguous')) return type;
  return { problem: `no schema "${word}"${didYouMean(word, schemaWords())}. List all schemas: xds-inspect schema` };
}

/** Accepts the singular and the plural. */
function isName(name: string, word: string): boolean {
  return name.replace(/s$/, '') === word.replace(/s$/, '');
}
