import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { readProvenance } from '../api/provenance.ts';
import { bundledPackages } from './bundled-packages.ts';

/** Writes the licenses of the bundled packages and of the published API to dist/. */
export function writeLicenses(root: string, metafiles: readonly Metafile[]): void {
  const sections = [...packageLicenses(root, metafiles), publishedApiSection(root)];
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/** The name and license of each package that was bundled. */
export function packageLicenses(root: string, metafiles: readonly Metafile[]): string[] {
  return bundledPackages(root, metafiles).map(({ folder, manifest: { name, version, license } }) => {
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file !== undefined && existsSync(join(root, folder, file))
        ? readFileSync(join(root, folder, file), 'utf8').trim()
        : '';
    return `${name} ${version} (${license})\n\n${text}`.trim();
  });
}

/** The catalogue of the xDS API is derived from the descriptors in proto/api. All of them have the license of this project. */
function publishedApiSection(root: string): string {
  const { package: name, version, license, licenses } = readProvenance(root);
  const projects = Object.entries(licenses).map(([project, one]) => `- ${project} (${one})`);
  const text = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  return `${name} ${version} (${license}), with descriptors from\n\n${projects.join('\n')}\n\n${text}`;
}
