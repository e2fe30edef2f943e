import { join } from 'node:path';
import { generate } from '../generate/main.ts';
import { bundle } from './bundle.ts';
import { writeCodePack } from './code-pack.ts';
import { writeLicenses } from './licenses.ts';
import { bundlePage } from './page.ts';

const root = join(import.meta.dirname, '../..');
generate(root);
writeLicenses(root, [await bundle(root), ...(await bundlePage(root))]);
await writeCodePack(root);
