import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Code or styles of the report page, and their hash for the Content-Security-Policy. */
interface Asset {
  /** Packed code is in gzip and base64. */
  text: string;
  /** Of the unpacked text, in base64. */
  sha256: string;
}

/** The built code of the report page. `loader` unpacks and runs the others; `re2` matches regular expressions. */
export interface PageAssets {
  style: Asset;
  loader: Asset;
  page: Asset;
  re2: Asset;
}

export function loadPageAssets({ packageRoot }: { packageRoot: string }): PageAssets {
  const read = (name: string): Buffer => readFileSync(join(packageRoot, 'dist/page', name));
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64');
  const asset = (name: string): Asset => ({ text: read(name).toString(), sha256: hash(read(name)) });
  const packed = (name: string): Asset => {
    const bytes = read(name);
    return { text: bytes.toString('base64'), sha256: hash(gunzipSync(bytes)) };
  };
  return { style: asset('page.css'), loader: asset('loader.js'), page: packed('page.js.gz'), re2: packed('re2.js.gz') };
}
