import { join } from 'node:path';
import { tooManyFolders } from './source-folders.ts';

const problem = tooManyFolders(join(import.meta.dirname, '../..'));
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}
