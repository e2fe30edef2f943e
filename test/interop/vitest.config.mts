import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: 'test/interop',
    include: ['suites/*.interop.ts'],
    // Peers are processes that need the machine's cores themselves.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
