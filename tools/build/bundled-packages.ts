import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** A package whose code is in the bundle. */
export interface BundledPackage {
  /** Relative to the root: `node_modules/yargs`. */
  folder: string;
  manifest: Manifest;
}

/** The part of a package.json that is used here. */
interface Manifest {
  name: string;
  version: string;
  license: string;
  homepage?: string;
  dependencies?: Readonly<Record<string, string>>;
}

/** The packages with code in the output of esbuild, by folder. */
export function bundledPackages(root: string, metafiles: readonly Metafile[]): BundledPackage[] {
  const folders = new Set<string>();
  const outputs = metafiles.flatMap((one) => Object.values(one.outputs));
  for (const [input, { bytesInOutput }] of outputs.flatMap(({ inputs }) => Object.entries(inputs))) {
    // esbuild read the file, and removed all of it.
    if (bytesInOutput === 0) continue;
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (found !== undefined) folders.add(found);
  }
  return [...folders].sort().map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest,
  }));
}
