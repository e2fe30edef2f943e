import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CliEnvironment } from '../environment.js';

/** Scenarios that come with the package, by name. */
export function builtInStories({ packageRoot }: CliEnvironment): string[] {
  return readdirSync(folder(packageRoot)).map((file) => basename(file, '.yaml'));
}

export function builtInPath(story: string, { packageRoot }: CliEnvironment): string {
  return join(folder(packageRoot), `${story}.yaml`);
}

function folder(packageRoot: string): string {
  return join(packageRoot, 'fixtures/scenarios/demo');
}
