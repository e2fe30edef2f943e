import type { PackageFiles } from './package-files.js';

/** The manual pages in the package, by their paths below docs: `findings/XI204.md`. */
export function loadManual({ packageFiles }: { packageFiles: PackageFiles }): Map<string, string> {
  const names = packageFiles.list('docs').filter((name) => name.endsWith('.md'));
  return new Map(names.map((name) => [name, packageFiles.read(`docs/${name}`).toString()]));
}
