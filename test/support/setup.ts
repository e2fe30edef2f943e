import { afterAll } from 'vitest';
import { cleanUp } from './clean-up.js';

// A setup file runs for every test file; a hook in a shared module would run only for the first of them.
afterAll(cleanUp);
