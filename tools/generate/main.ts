import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emitCatalogue } from './emit-catalogue.ts';
import { emitFieldMarks } from './emit-field-marks.ts';
import { closure, emitPackage } from './emit-messages.ts';
import { emitSecretHolders } from './emit-secret-holders.ts';
import { SkimTables } from './emit-skim.ts';
import { mergeSchemas } from './merge.ts';
import { packageFile } from './naming.ts';
import { readPublishedApi } from './published.ts';
import { readSchema } from './schema.ts';
import { markSecretFields } from './secret-fields.ts';
import { ownProtoFiles } from './sources.ts';

/** Messages that the tool sends: as a client, as the scripted control plane, and over CSDS. */
const WRITTEN = [
  'envoy.service.discovery.v3.DiscoveryRequest',
  'envoy.service.discovery.v3.DiscoveryResponse',
  'envoy.service.discovery.v3.Resource',
  'envoy.service.status.v3.ClientStatusRequest',
  'envoy.service.status.v3.ClientStatusResponse',
  'grpc.reflection.v1.ServerReflectionRequest',
  'grpc.reflection.v1.ServerReflectionResponse',
];

/** Writes src/proto/generated from proto/: the project's own .proto files and the published API. */
export function generate(root: string): void {
  const own = readSchema(ownProtoFiles(root));
  if (own.unresolved.length > 0) throw new Error(`proto/: unknown types in ${own.unresolved.join(', ')}`);
  const whole = mergeSchemas(readPublishedApi(root), own);
  markSecretFields(whole, root);
  const tables = new SkimTables(whole);
  const writable = closure(own, WRITTEN);
  const folder = join(root, 'src/proto/generated');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const packageName of new Set([...own.messages.values(), ...own.enums.values()].map((t) => t.packageName))) {
    writeFileSync(
      join(folder, packageFile(packageName)),
      emitPackage(own, packageName, (m) => tables.indexOf(m), writable),
    );
  }
  writeFileSync(join(folder, 'skim-tables.ts'), tables.emit());
  writeFileSync(join(folder, 'catalogue.ts'), emitCatalogue(whole));
  writeFileSync(join(folder, 'secret-holders.ts'), emitSecretHolders(whole));
  writeFileSync(join(folder, 'field-marks.ts'), emitFieldMarks(whole, own));
}
