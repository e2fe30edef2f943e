import { afterEach } from 'vitest';
import { cleanUp } from '../../support/clean-up.js';

// Real programs use much CPU and memory: all end with their test.
afterEach(cleanUp);
