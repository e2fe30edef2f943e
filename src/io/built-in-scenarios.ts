import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The folder of the installed package. */
interface Installed {
  packageRoot: string;
}

/** The names of the scenarios in the package. */
export function builtInScenarios({ packageRoot }: Installed): string[] {
  return readdirSync(folder(packageRoot)).map((file) => basename(file, '.yaml'));
}

export function builtInPath(name: string, { packageRoot }: Installed): string {
  return join(folder(packageRoot), `${name}.yaml`);
}

function folder(packageRoot: string): string {
  return join(packageRoot, 'fixtures/scenarios/demo');
}
