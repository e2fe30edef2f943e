import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Dice } from '../../oracle/mutation/dice.js';
import { mutatedText, mutatedValue } from './text-mutation.js';

export const FIXTURES = join(import.meta.dirname, '../../../fixtures');
/** Larger files slow fuzzing down without testing more. */
const MAX_BYTES = 20_000;

/** The files below a folder of fixtures, sorted by path so that a seed picks the same one everywhere. */
export function filesBelow(folder: string, pattern: RegExp): Buffer[] {
  const names = readdirSync(join(FIXTURES, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => pattern.test(name)).sort();
  return files.map((name) => readFileSync(join(FIXTURES, folder, name))).filter(({ length }) => length <= MAX_BYTES);
}

/** A changed copy of a YAML or JSON text: of its bytes, or of the value that it contains. */
export function changedDocument(seed: Buffer, dice: Dice): Buffer {
  if (dice.chance(0.4)) return mutatedText(seed, dice);
  const values = parseAllDocuments(seed.toString()).map((document) => document.toJS() as unknown);
  const changed = values.length === 1 ? mutatedValue(values[0], dice) : mutatedValue(values, dice);
  const text = JSON.stringify(changed, null, dice.pick([0, 2])) ?? '';
  return Buffer.from(dice.chance(0.1) ? mutatedText(Buffer.from(text), dice) : text);
}
