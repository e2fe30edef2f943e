import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { EXIT } from '../../src/base/exit-codes.ts';
import { decodeDescriptorSet, encodeDescriptorSet } from '../generate/descriptor-set.ts';
import { findRelease, PACKAGE, type Release } from './package-index.ts';
import { API_FILES, provenanceOf, readProvenance } from './provenance.ts';
import { resourceTypesIn } from './resource-types.ts';
import { selectApi } from './selection.ts';
import { downloadDescriptors } from './wheel.ts';

const root = join(import.meta.dirname, '../..');

/** Compares the version in the repository with the newest on PyPI. */
async function check(): Promise<number> {
  const { version } = readProvenance(root);
  const newest = await findRelease();
  if (newest.version === version) {
    console.log(`${PACKAGE} ${version} is the newest version`);
    return EXIT.ok;
  }
  console.log(`${PACKAGE} ${newest.version} (${newest.published}) is published; proto/api has ${version}`);
  return EXIT.findings;
}

function update(release: Release): number {
  const everything = downloadDescriptors(release);
  const set = selectApi(decodeDescriptorSet(root, everything));
  const bytes = encodeDescriptorSet(root, set);
  const provenance = provenanceOf(release, set, bytes, resourceTypesIn(everything));
  const compressed = gzipSync(bytes, { level: 9 });
  mkdirSync(dirname(join(root, API_FILES.descriptors)), { recursive: true });
  writeFileSync(join(root, API_FILES.descriptors), compressed);
  writeFileSync(join(root, API_FILES.provenance), `${JSON.stringify(provenance, null, 2)}\n`);
  const { messages, enums, fields } = provenance;
  console.log(`${PACKAGE} ${release.version}: ${messages} messages, ${enums} enums, ${fields} fields`);
  console.log(`${API_FILES.descriptors}: ${bytes.length} bytes, ${compressed.length} compressed`);
  return EXIT.ok;
}

async function run([argument]: string[]): Promise<number> {
  try {
    return argument === '--check' ? await check() : update(await findRelease(argument));
  } catch (error) {
    console.error(`update-api: ${(error as Error).message}`);
    return EXIT.unavailable;
  }
}

process.exitCode = await run(process.argv.slice(2));
