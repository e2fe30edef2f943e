import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isTerminal } from '../../src/io/is-terminal.js';
import { later, temporaryFolder } from '../support/clean-up.js';

function opened(path: string): number {
  const descriptor = openSync(path, 'r+');
  later(() => closeSync(descriptor));
  return descriptor;
}

it('distinguishes terminals from files, devices and closed descriptors', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(isTerminal(opened(file))).toBe(false);
  expect(isTerminal(opened('/dev/null'))).toBe(false);
  expect(isTerminal(opened('/dev/zero'))).toBe(false);
  // Opening this device creates a terminal.
  expect(isTerminal(opened('/dev/ptmx'))).toBe(true);
  expect(isTerminal(99_999)).toBe(false);
});
