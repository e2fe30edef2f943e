import { appendFileSync } from 'node:fs';
import { SEEN_VARIABLE } from './handed-over.js';

/** A line for the end of the run: what was compared, and how much of it agreed. */
export function seen(line: string): void {
  const file = process.env[SEEN_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}
