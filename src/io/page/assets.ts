import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Code or styles of the report page, and their hash for the Content-Security-Policy. */
interface Asset {
  text: string;
  /** In base64. */
  sha256: string;
}

/** The built code of the report page. `re2` matches regular expressions. */
export interface PageAssets {
  style: Asset;
  page: Asset;
  re2: Asset;
}

export function loadPageAssets({ packageRoot }: { packageRoot: string }): PageAssets {
  const asset = (name: string): Asset => {
    const bytes = readFileSync(join(packageRoot, 'dist/page', name));
    return { text: bytes.toString(), sha256: createHash('sha256').update(bytes).digest('base64') };
  };
  return { style: asset('page.css'), page: asset('page.js'), re2: asset('re2.js') };
}
