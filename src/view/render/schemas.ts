import type { JsonSchema } from '../../proto/json-schema/json-schema.js';
import type { Page } from '../formats.js';
import type { SchemasDocument } from '../schema/schema-list.js';
import { escapeHidden } from '../visible-text.js';
import { type Column, table } from './table.js';
import { fitLines } from './wrap.js';

const COLUMNS: readonly Column[] = [{ title: 'SCHEMA' }, { title: 'ALIAS' }, { title: 'FILE' }];

export function schemasTable({ schemas }: SchemasDocument, { paint, width }: Page): string {
  const rows = schemas.map(({ name, alias, of }) => [
    { text: name, paint: paint.strong },
    { text: alias ?? '' },
    { text: of },
  ]);
  const more =
    'Also any message of the xDS API, by its full name or type URL: xds-inspect schema envoy.config.core.v3.Node';
  return `${table(COLUMNS, rows, width).join('\n')}\n\n${fitLines(more, width)}\n`;
}

export function schemaNames({ schemas }: SchemasDocument): string {
  return schemas.map(({ name }) => `${name}\n`).join('');
}

/** A schema as JSON with one definition per line: a schema of the API has more than a thousand. */
export function schemaJson(schema: JsonSchema): string {
  const { definitions, ...rest } = schema;
  const entries = Object.entries(rest).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  if (definitions !== undefined) entries.push(`  "definitions": ${definitionLines(definitions as JsonSchema)}`);
  return escapeHidden(`{\n${entries.join(',\n')}\n}\n`, 'json');
}

function definitionLines(definitions: JsonSchema): string {
  const lines = Object.entries(definitions).map(([name, one]) => `    ${JSON.stringify(name)}: ${JSON.stringify(one)}`);
  return `{\n${lines.join(',\n')}\n  }`;
}
