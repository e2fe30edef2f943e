import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from '../suite.ts';
import { GOAL_MS, interruptTable, measureInterrupts } from './measure.ts';

export const interruptSuite: Suite = {
  name: 'interrupt',
  summary: `Ctrl-C during a flood of responses: every command ends with exit code 130; goal ${GOAL_MS} ms, measured only`,
  quick: false,
  run: async ({ root, quick, folder, progress }) => {
    const own = join(folder, 'commands');
    mkdirSync(own);
    try {
      const { rows, ...result } = await measureInterrupts({ root, quick, folder: own, progress });
      return { ...result, table: interruptTable(rows) };
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  },
};
