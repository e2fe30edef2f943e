import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import type { CliEnvironment } from '../../io/environment.js';
import { loadSchemaFile } from '../../io/schema-file.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import type { JsonSchema } from '../../proto/json-schema/json-schema.js';
import { isFormatOf } from '../../view/formats.js';
import { messageSchema, resourcesSchema, withResources } from '../../view/schema/resource-schemas.js';
import { findSchema, type SchemaFile, schemaList } from '../../view/schema/schema-list.js';
import type { SchemaInput } from '../commands/schema.js';
import { Printer } from '../printer.js';

/** `schema`: prints a JSON Schema, or the list of them. */
export async function schema(input: SchemaInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const { what, output } = input;
  if (what === undefined) {
    await out.print('schemas', output ?? 'table', schemaList());
    return EXIT.ok;
  }
  const format = output ?? 'json';
  if (!isFormatOf('schema', format)) throw new UsageError(`-o ${format} is for the list: a schema is json or yaml`);
  await out.print('schema', format, schemaOf(what, env));
  return EXIT.ok;
}

function schemaOf(word: string, env: CliEnvironment): JsonSchema {
  const found = findSchema(word, xdsCatalogue);
  if ('problem' in found) throw new UsageError(found.problem);
  if (found.kind === 'resources') return resourcesSchema();
  return found.kind === 'file' ? fileSchema(found.name, env) : messageSchema(found.typeUrl);
}

/** The file in the package describes the resources of a scenario only roughly, because the API is large. */
function fileSchema(name: SchemaFile, env: CliEnvironment): JsonSchema {
  const file = loadSchemaFile(name, env) as JsonSchema;
  return name === 'scenario' ? withResources(file) : file;
}
