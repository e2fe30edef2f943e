import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DescriptorSet, eachMessage } from '../generate/descriptor-set.ts';
import { PACKAGE, type Release } from './package-index.ts';

/** The descriptor set of the published API, and the file that says where it comes from. */
export const API_FILES = { descriptors: 'proto/api/xds.binpb.gz', provenance: 'proto/api/provenance.json' };

/** Where the descriptor set comes from and what it contains. */
export interface Provenance extends Release {
  package: string;
  /** The hash of the descriptor set, not compressed. */
  descriptorsSha256: string;
  files: number;
  /** Map entries are not counted, because they are part of a field. */
  messages: number;
  enums: number;
  fields: number;
  /** The resource types of the discovery services. */
  resourceTypes: string[];
  /** The projects that the files come from, with their licenses. */
  licenses: Record<string, string>;
}

/** The origin of packages by the beginning of their names. All of them are under the Apache License 2.0. */
const PROJECTS: readonly [prefix: string, project: string][] = [
  ['cel.', 'github.com/google/cel-spec'],
  ['envoy.', 'github.com/envoyproxy/envoy'],
  ['google.', 'github.com/googleapis/googleapis'],
  ['opencensus.', 'github.com/census-instrumentation/opencensus-proto'],
  ['opentelemetry.', 'github.com/open-telemetry/opentelemetry-proto'],
  ['udpa.', 'github.com/cncf/xds'],
  ['xds.', 'github.com/cncf/xds'],
];

export function provenanceOf(
  release: Release,
  set: DescriptorSet,
  bytes: Uint8Array,
  resourceTypes: string[],
): Provenance {
  const licenses: Record<string, string> = {};
  for (const { package: name } of set.file) {
    const project = PROJECTS.find(([prefix]) => name.startsWith(prefix))?.[1];
    if (project === undefined)
      throw new Error(`package ${name}: add its project and license to tools/api/provenance.ts`);
    licenses[project] = 'Apache-2.0';
  }
  return {
    package: PACKAGE,
    ...release,
    descriptorsSha256: createHash('sha256').update(bytes).digest('hex'),
    files: set.file.length,
    ...countTypes(set),
    resourceTypes,
    licenses: Object.fromEntries(Object.entries(licenses).sort()),
  };
}

export function countTypes({ file: files }: DescriptorSet): { messages: number; enums: number; fields: number } {
  const count = { messages: 0, enums: 0, fields: 0 };
  for (const file of files) {
    count.enums += file.enum_type.length;
    eachMessage(file, ({ options, field, enum_type: enums }) => {
      if (options?.map_entry) return;
      count.messages++;
      count.fields += field.length;
      count.enums += enums.length;
    });
  }
  return count;
}

export function readProvenance(root: string): Provenance {
  return JSON.parse(readFileSync(join(root, API_FILES.provenance), 'utf8')) as Provenance;
}
