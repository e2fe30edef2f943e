import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import type { CliEnvironment } from '../../io/environment.js';
import { loadManual } from '../../io/manual.js';
import { lookUp } from '../../view/manual/look-up.js';
import { Manual } from '../../view/manual/manual.js';
import type { DocsInput } from '../commands/docs.js';
import { Printer } from '../printer.js';

/** `docs`: prints a page of the manual in the package. */
export async function docs(input: DocsInput, env: CliEnvironment): Promise<ExitCode> {
  const manual = new Manual(loadManual(env));
  const word = input.word.join(' ');
  const markdown = lookUp(manual, word);
  if (markdown === undefined) throw new UsageError(unknown(word, manual));
  await new Printer(input, env).print('manual', 'text', markdown);
  return EXIT.ok;
}

function unknown(word: string, manual: Manual): string {
  return `no manual page for "${word}"${didYouMean(word, manual.words)}. List all pages: xds-inspect docs`;
}
