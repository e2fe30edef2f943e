import { join } from 'node:path';

/** The root folder of the project. In its own file, so that tests can import it without the CLI. */
export const ROOT = join(import.meta.dirname, '../..');
