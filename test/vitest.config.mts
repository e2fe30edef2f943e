import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: 'test',
    // Far beyond what any test takes: a busy machine is no failure.
    testTimeout: 30_000,
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
