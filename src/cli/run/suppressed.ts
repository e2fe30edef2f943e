import { parseCodes } from '../../findings/suppress.js';
import type { Arguments } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

/** The codes of `--suppress`. */
export function readSuppressed(args: Arguments): ReadonlySet<string> {
  const read = parseCodes((args.suppress as string | undefined) ?? '');
  if (!read.ok) throw new Failure(EXIT.usage, `--suppress: ${read.message}`);
  return read.codes;
}
