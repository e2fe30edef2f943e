import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: 'test',
    // Far beyond what any test takes: a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Importing the sources anew for each of the test files takes longer than most of the tests.
    isolate: false,
    // One more than there are cores: tests over real sockets mostly wait.
    maxWorkers: availableParallelism() + 1,
    maxConcurrency: 16,
    setupFiles: [new URL('support/setup.ts', import.meta.url).pathname],
    reporters: ['default', new URL('support/count-reporter.ts', import.meta.url).pathname],
    coverage: {
      include: ['src/**'],
      // Generated code, and what only runs in a process of its own (the package test does run it).
      exclude: ['src/proto/generated/**', 'src/cli/process.ts', 'src/index.ts'],
      reporter: ['text-summary'],
      thresholds: { lines: 95, functions: 95, branches: 87 },
    },
  },
});
