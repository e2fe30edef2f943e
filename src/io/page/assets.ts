import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { PackageFiles } from '../package-files.js';

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

interface Packaged {
  packageFiles: PackageFiles;
}

export function loadPageAssets(env: Packaged): PageAssets {
  const packed = (name: string): Asset => {
    const bytes = read(name, env);
    return { text: bytes.toString('base64'), sha256: hash(gunzipSync(bytes)) };
  };
  return {
    style: asset('page.css', env),
    loader: asset('loader.js', env),
    page: packed('page.js.gz'),
    re2: packed('re2.js.gz'),
  };
}

/** The style of the page of `diff`, which has no code. */
export function loadDiffStyle(env: Packaged): Asset {
  return asset('diff.css', env);
}

function asset(name: string, env: Packaged): Asset {
  const bytes = read(name, env);
  return { text: bytes.toString(), sha256: hash(bytes) };
}

function read(name: string, { packageFiles }: Packaged): Buffer {
  return packageFiles.read(`dist/page/${name}`);
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}
