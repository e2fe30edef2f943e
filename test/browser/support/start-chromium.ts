import type { TestProject } from 'vitest/node';
import { findChromium, launchChromium } from '../../../tools/browser/chromium.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all suites share. */
    chromium: string;
  }
}

/** Starts one browser for all suites. */
export default async function startChromium({ provide }: TestProject): Promise<() => Promise<void>> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  const server = await launchChromium(found.path);
  provide('chromium', server.wsEndpoint());
  return () => server.close();
}
