import { UsageError } from '../../base/failure.js';
import { loadDiffStyle } from '../../io/page/assets.js';
import type { DiffDocument } from '../../view/diff/diff-summary.js';
import type { FormatName } from '../../view/formats.js';
import type { Printer } from '../printer.js';

export type DiffFormat = FormatName<'diff' | 'diff-page'>;

/** Reports before the command connects that a page cannot be shown on a terminal. */
export function checkDiffFormat(format: DiffFormat, out: Printer): void {
  if (format === 'html' && out.env.stdout.isTerminal)
    throw new UsageError('-o html is for a browser: redirect it (> diff.html)');
}

export async function printDiff(document: DiffDocument, format: DiffFormat, out: Printer): Promise<void> {
  if (format !== 'html') return await out.print('diff', format, document);
  await out.print('diff-page', format, { ...document, style: loadDiffStyle(out.env) });
}
