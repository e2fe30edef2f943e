import { choice, type Option } from '../option.js';

/** `-o`: the first format is the default. */
export function outputOption<const F extends string>(
  formats: readonly F[],
  describe = 'Output format',
): { output: Option<F> } {
  return { output: choice(describe, formats, { alias: 'o', default: String(formats[0]) }) };
}
