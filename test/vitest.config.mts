import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: 'test',
    // Much longer than any test takes, so that a busy machine does not fail tests.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Importing the sources for each test file takes longer than most of the tests.
    isolate: false,
    // One more than the number of cores: tests with real sockets mostly wait.
    maxWorkers: availableParallelism() + 1,
    maxConcurrency: 16,
    setupFiles: [new URL('support/setup.ts', import.meta.url).pathname],
    reporters: ['default', new URL('support/count-reporter.ts', import.meta.url).pathname],
    coverage: {
      include: ['src/**'],
      // Generated code, and code that runs only in its own process (the package test) or in a browser (npm run browser).
      exclude: ['src/proto/generated/**', 'src/cli/process.ts', 'src/index.ts', 'src/view/page/**'],
      reporter: ['text-summary'],
      thresholds: { lines: 95, functions: 95, branches: 87 },
    },
  },
});
