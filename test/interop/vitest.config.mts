import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: 'test/interop',
    include: ['suites/*.interop.ts'],
    setupFiles: [new URL('support/setup.ts', import.meta.url).pathname],
    // Peers are processes that need the machine's cores themselves.
    fileParallelism: false,
    // Real programs race, and machines are busy: what fails is tried once more, and the report says so.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
