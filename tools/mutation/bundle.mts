import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Tests that do not run: a mutant that they alone would detect counts as not detected. */
const EXCLUDED = [
  // They replay hundreds of sessions, for seconds per mutant.
  'test/engine/what-if.test.ts',
  'test/engine/recording.test.ts',
  // It needs the process's own handling of uncaught exceptions, which mocha replaces.
  'test/engine/session.test.ts',
];

/** Bundles the tests of the given folders with the instrumented sources into one file that mocha loads once. */
const files = process.argv
  .slice(2)
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
  .filter((file) => file.endsWith('.test.ts') && !EXCLUDED.includes(file));
await build({
  stdin: { contents: files.map((file) => `import './${file}';`).join('\n'), resolveDir: process.cwd() },
  outfile: 'mutation-tests.mjs',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  alias: { vitest: './tools/mutation/vitest-on-mocha.ts' },
  logLevel: 'error',
  plugins: [
    {
      name: 'import-meta-url',
      setup(builder) {
        builder.onLoad({ filter: /\/(src|test|tools)\/.*\.m?ts$/ }, ({ path }) => ({
          // Tests find their fixtures by the location of their own file.
          contents: readFileSync(path, 'utf8')
            .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
            .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
          loader: 'ts',
        }));
      },
    },
  ],
});
