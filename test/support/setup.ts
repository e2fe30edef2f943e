import { afterAll } from 'vitest';
import { cleanUp } from './clean-up.js';

// A setup file runs for every test file; a hook in a module that test files share would run for the first of them only.
afterAll(cleanUp);
