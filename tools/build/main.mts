import { join } from 'node:path';
import { generate } from '../generate/main.ts';
import { bundle } from './bundle.ts';
import { writeCodePack } from './code-pack.ts';
import { writeLicenses } from './licenses.ts';
import { bundlePage } from './page.ts';
import { writeSbom } from './sbom.ts';

const root = join(import.meta.dirname, '../..');
generate(root);
const metafiles = [await bundle(root), ...(await bundlePage(root))];
writeLicenses(root, metafiles);
writeSbom(root, metafiles);
await writeCodePack(root);
