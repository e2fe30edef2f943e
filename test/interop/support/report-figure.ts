import { appendFileSync } from 'node:fs';
import { FIGURES_VARIABLE } from './variables.js';

/** Adds a line to the report at the end of the run: what was compared, and how much of it agreed. */
export function reportFigure(line: string): void {
  const file = process.env[FIGURES_VARIABLE];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}
