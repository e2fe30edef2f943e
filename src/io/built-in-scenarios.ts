import { basename } from 'node:path';
import type { PackageFiles } from './package-files.js';

const FOLDER = 'fixtures/scenarios/demo';

interface Installed {
  packageFiles: PackageFiles;
}

/** The names of the scenarios in the package. */
export function builtInScenarios({ packageFiles }: Installed): string[] {
  return packageFiles.list(FOLDER).map((file) => basename(file, '.yaml'));
}

export function builtInPath(name: string, { packageFiles }: Installed): string {
  return packageFiles.pathOf(`${FOLDER}/${name}.yaml`);
}
