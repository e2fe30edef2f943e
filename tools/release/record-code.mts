import { join } from 'node:path';
import { recordCode } from '../build/code-pack.ts';

// Writes the code pack of the single executable. The build of Node that is in the executable runs this.
await recordCode(join(import.meta.dirname, '../..'), process.argv[2] as string);
