import { join } from 'node:path';
import { build, stop } from 'esbuild';

/** The programs that suites start as child processes: the paths of their bundles. */
export interface Programs {
  plane: string;
  client: string;
  /** A control plane that floods its clients. */
  flood: string;
  /** A client with many streams. */
  streams: string;
}

/** Each program is the file main.mts in the folder of its name. */
const NAMES = ['plane', 'client', 'flood', 'streams'] as const satisfies readonly (keyof Programs)[];

let bundling: Promise<Programs> | undefined;

/**
 * Bundles the programs once. Node starts a bundle faster than TypeScript with a loader, and the loader would write its
 * cache to the temporary folder of a suite.
 */
export function programs(root: string): Promise<Programs> {
  bundling ??= bundle(root);
  return bundling;
}

async function bundle(root: string): Promise<Programs> {
  const outdir = join(root, 'node_modules/.cache/faults');
  await build({
    entryPoints: Object.fromEntries(NAMES.map((name) => [name, join(root, `tools/faults/${name}/main.mts`)])),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  // The service of esbuild would count as a leftover.
  await stop();
  return Object.fromEntries(NAMES.map((name) => [name, join(outdir, `${name}.mjs`)])) as Record<keyof Programs, string>;
}
