import { type FormatKind, type FormatName, formatsOf } from '../../view/formats.js';
import { choice, type Option } from '../option.js';

/** `-o` with the formats of these documents and streams. The first is the default. */
export function outputOption<const K extends FormatKind>(...kinds: readonly K[]): { output: Option<FormatName<K>> } {
  return { output: formatOption('Output format', formatsOf(...kinds)) };
}

export function formatOption<const F extends string>(describe: string, formats: readonly F[]): Option<F> {
  return choice(describe, formats, { alias: 'o', default: String(formats[0]) });
}
