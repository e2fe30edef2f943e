import { join } from 'node:path';
import { writeTypes } from './write-types.ts';

writeTypes(join(import.meta.dirname, '../..'));
