import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild';
import { packageLicenses } from './licenses.ts';

/** The maximum size of code and styles in a report page. */
const MAX_BYTES = 600_000;

/** Text that would end an inline script or style, or hide its end. */
const ENDS_ELEMENT = /<\/(?:script|style)|<!--/i;

/** Bundles the code of the report page. The tool embeds these files in each page. Returns what was bundled. */
export async function bundlePage(root: string): Promise<Metafile[]> {
  const folder = join(root, 'dist/page');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const results = await Promise.all([
    bundleOne(root, { entryPoints: { page: 'src/view/page/main.tsx' }, alias: { re2js: RE2_STUB } }),
    bundleOne(root, { entryPoints: { re2: 'src/view/page/re2-global.ts' } }),
    bundleOne(root, { entryPoints: { loader: 'src/view/page/loader.ts' } }),
    bundleOne(root, { entryPoints: { page: 'src/view/page/page.css' } }),
    bundleOne(root, { entryPoints: { diff: 'src/view/page/diff.css' } }),
  ]);
  const files = results.flatMap(({ outputFiles, metafile }) => {
    // Each page is a copy of these packages, so it contains their licenses.
    const licenses = packageLicenses(root, [metafile]);
    const comment = licenses.length === 0 ? '' : `/*\n${licenses.join('\n\n')}\n*/\n`;
    return outputFiles.map(({ path, text }) => packed(path, `${comment}${text}`));
  });
  for (const { path, contents } of files) writeFileSync(path, contents);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_BYTES) throw new Error(`the report page has ${bytes} bytes of code, more than ${MAX_BYTES}`);
  return results.map(({ metafile }) => metafile);
}

/** Code is embedded in gzip and base64, except for the loader that unpacks it. */
function packed(path: string, text: string): { path: string; contents: Uint8Array; size: number } {
  if (/(?:page|re2)\.js$/.test(path)) {
    const gzip = gzipSync(text, { level: 9 });
    return { path: `${path}.gz`, contents: gzip, size: gzip.toString('base64').length };
  }
  if (ENDS_ELEMENT.test(text)) throw new Error(`${path} cannot be embedded: it contains </script, </style or <!--`);
  const contents = Buffer.from(text);
  return { path, contents, size: contents.length };
}

const RE2_STUB = './src/view/page/re2-stub.ts';

async function bundleOne(
  root: string,
  options: BuildOptions,
): Promise<{ outputFiles: OutputFile[]; metafile: Metafile }> {
  const { outputFiles = [], metafile } = await build({
    ...options,
    absWorkingDir: root,
    outdir: join(root, 'dist/page'),
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: ['es2022', 'chrome110', 'firefox115', 'safari16.4'],
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    metafile: true,
    write: false,
    legalComments: 'none',
  });
  return { outputFiles, metafile };
}
