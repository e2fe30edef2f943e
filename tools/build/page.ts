import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { packageLicenses } from './licenses.ts';

/** The maximum size of code and styles in a report page, as they are in the file. */
const MAX_BYTES = 600_000;

/** Text that would end an inline script or style, or hide its end. */
const ENDS_ELEMENT = /<\/(?:script|style)|<!--/i;

const RE2_STUB = './src/view/page/re2-stub.ts';

interface Bundle {
  text: string;
  metafile: Metafile;
}

/** Bundles the code of the report page. The tool embeds these files in each page. Returns what was bundled. */
export async function bundlePage(root: string): Promise<Metafile[]> {
  const [style, loader, page, re2] = await Promise.all([
    bundleOne(root, 'page.css'),
    bundleOne(root, 'loader.ts'),
    bundleOne(root, 'main.tsx', { alias: { re2js: RE2_STUB } }),
    bundleOne(root, 're2-global.ts'),
  ]);
  const files = [
    embeddedText('page.css', style.text),
    embeddedText('loader.js', loader.text),
    packed('page.js.gz', page, root),
    packed('re2.js.gz', re2, root),
  ];
  const folder = join(root, 'dist/page');
  mkdirSync(folder, { recursive: true });
  for (const { name, contents } of files) writeFileSync(join(folder, name), contents);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_BYTES) throw new Error(`the report page has ${bytes} bytes of code, more than ${MAX_BYTES}`);
  return [style, loader, page, re2].map(({ metafile }) => metafile);
}

interface PageFile {
  name: string;
  contents: string | Buffer;
  /** The number of bytes in a page. */
  size: number;
}

function embeddedText(name: string, text: string): PageFile {
  if (ENDS_ELEMENT.test(text)) throw new Error(`${name} cannot be embedded: it contains </script, </style or <!--`);
  return { name, contents: text, size: Buffer.byteLength(text) };
}

/** Code that the page contains in base64. Each page is a copy of the packages in it, so it contains their licenses. */
function packed(name: string, { text, metafile }: Bundle, root: string): PageFile {
  const licenses = packageLicenses(root, [metafile]).join('\n\n');
  const contents = gzipSync(licenses === '' ? text : `/*\n${licenses}\n*/\n${text}`, { level: 9 });
  return { name, contents, size: Math.ceil(contents.length / 3) * 4 };
}

async function bundleOne(root: string, entry: string, options: BuildOptions = {}): Promise<Bundle> {
  const { outputFiles = [], metafile } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: [join('src/view/page', entry)],
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
  return { text: outputFiles[0]?.text ?? '', metafile };
}
