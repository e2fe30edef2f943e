import { join } from 'node:path';
import { table, writeFigures } from './readme.ts';
import { resources } from './resources.ts';
import { startUp } from './start-up.ts';

const root = join(import.meta.dirname, '../..');
const figures = [...startUp(root), ...resources()];
console.log(table(figures));
for (const { what, ratio, goal } of figures)
  if (ratio > goal) console.log(`over its goal: ${what}: ${ratio.toFixed(2)} instead of ${goal}`);
writeFigures(join(root, 'README.md'), figures);
