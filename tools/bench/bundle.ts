import { join } from 'node:path';
import { build } from 'esbuild';

/** What is measured inside a process is bundled as the package is, and runs in a bare Node: a loader makes functions slow. */
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
