import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Code or styles of the report page, and their hash for the Content-Security-Policy. */
interface Asset {
  /** As the page contains it. */
  text: string;
  /** In base64. */
  sha256: string;
}

/** The built code of the report page. `loader` unpacks and runs the rest; `re2` matches regular expressions. */
export interface PageAssets {
  style: Asset;
  loader: Asset;
  page: Asset;
  re2: Asset;
}

export function loadPageAssets({ packageRoot }: { packageRoot: string }): PageAssets {
  const read = (name: string): Buffer => readFileSync(join(packageRoot, 'dist/page', name));
  const plain = (name: string): Asset => {
    const bytes = read(name);
    return { text: bytes.toString(), sha256: hashOf(bytes) };
  };
  const packed = (name: string): Asset => {
    const bytes = read(name);
    return { text: bytes.toString('base64'), sha256: hashOf(gunzipSync(bytes)) };
  };
  return {
    style: plain('page.css'),
    loader: plain('loader.js'),
    page: packed('page.js.gz'),
    re2: packed('re2.js.gz'),
  };
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}
