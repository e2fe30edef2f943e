import { join } from 'node:path';
import { build, stop } from 'esbuild';

/** The programs that suites start as child processes: the paths of their bundles. */
export interface Programs {
  plane: string;
  client: string;
}

let bundling: Promise<Programs> | undefined;

/** Bundles the programs once, because Node starts a bundle faster than TypeScript with a loader. */
export function programs(root: string): Promise<Programs> {
  bundling ??= bundle(root);
  return bundling;
}

async function bundle(root: string): Promise<Programs> {
  const outdir = join(root, 'node_modules/.cache/faults');
  await build({
    entryPoints: {
      plane: join(root, 'tools/faults/plane/main.mts'),
      client: join(root, 'tools/faults/client/main.mts'),
    },
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
  return { plane: join(outdir, 'plane.mjs'), client: join(outdir, 'client.mjs') };
}
