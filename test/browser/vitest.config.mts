import { defineConfig } from 'vitest/config';

const here = (path: string): string => new URL(path, import.meta.url).pathname;

export default defineConfig({
  test: {
    dir: 'test/browser',
    include: ['*.browser.ts'],
    globalSetup: [here('support/start-chromium.ts')],
    setupFiles: [here('../support/setup.ts')],
    // The browser needs a core; importing the sources for each file takes longer than most tests.
    fileParallelism: false,
    isolate: false,
    // Much longer than any test takes, so that a busy machine does not fail tests.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['verbose', here('../support/count-reporter.ts')],
  },
});
