import { afterEach } from 'vitest';
import { cleanUp } from '../../support/clean-up.js';

// Real programs take much of the machine: none outlives its test.
afterEach(cleanUp);
