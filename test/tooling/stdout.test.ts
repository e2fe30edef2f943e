import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/root.js';

/** The Printer, the terminal renderers, and the help text; `csds` prints separators between parts. */
const WRITERS = [
  'cli/main.ts',
  'cli/printer.ts',
  'cli/run/csds-watch.ts',
  'cli/run/csds.ts',
  'io/live-picture.ts',
  'io/screen.ts',
];

it('only the Printer and the terminal renderers write to stdout', () => {
  const src = join(ROOT, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const writing = files.filter((file) =>
    /stdout\s*\.write\(|console\.log\(/.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(writing.sort()).toEqual(WRITERS.filter((file) => writing.includes(file)));
  expect(writing).toContain('cli/main.ts');
});
