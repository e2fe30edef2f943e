import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Writes the licenses of the bundled packages to dist/. */
export function writeLicenses(root: string, metafile: Metafile): void {
  const folders = new Set<string>();
  for (const input of Object.keys(metafile.inputs)) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (found !== undefined) folders.add(found);
  }
  // The catalogue of the xDS API is derived from the files in this package.
  folders.add('node_modules/@grpc/grpc-js-xds');
  const sections = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file !== undefined && existsSync(join(root, folder, file))
        ? readFileSync(join(root, folder, file), 'utf8').trim()
        : '';
    return `${name} ${version} (${license})\n\n${text}`.trim();
  });
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}
