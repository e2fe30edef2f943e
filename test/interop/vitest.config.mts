import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: 'test/interop',
    include: ['suites/*.interop.ts'],
    setupFiles: [new URL('support/setup.ts', import.meta.url).pathname],
    // Peers are separate processes that need the cores.
    fileParallelism: false,
    // Real programs have races, and machines are busy: a failed test runs once more, and the report shows it.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
