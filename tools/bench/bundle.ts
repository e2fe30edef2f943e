import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles measured code like the package, so that it runs in Node without a loader, which would slow functions down. */
export async function bundled(root: string, name: string): Promise<string> {
  const outfile = join(root, `node_modules/.cache/bench/${name}.mjs`);
  await build({
    entryPoints: [join(root, `tools/bench/${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@grpc/*'],
    logLevel: 'error',
  });
  return outfile;
}
