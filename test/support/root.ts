import { join } from 'node:path';

/** The folder of the project. Test files that import nothing else from support do not depend on the CLI. */
export const ROOT = join(import.meta.dirname, '../..');
