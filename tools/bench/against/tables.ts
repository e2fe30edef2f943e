import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { lightStringWidth } from '../../build/bundle.ts';
import type { Row } from './comparison.ts';

const RUNS = 31;
/** Rounds until V8 has compiled the functions. */
const WARM_UP = 10;
const ROWS = 10_000;
const COLUMNS = ['TYPE', 'NAME', 'STATUS', 'VERSION', 'AGE', 'SERVER', 'DETAIL'].map((title) => ({ title }));

interface TableModule {
  table(columns: readonly { title: string }[], rows: readonly { text: string }[][], width: number): string[];
}

/** A long table of both trees, rendered in this process, because the rest of a command takes far longer. */
export async function tables(root: string, folders: readonly [before: string, after: string]): Promise<Row> {
  const rows = Array.from({ length: ROWS }, (_, i) =>
    ['EDS', `service-${i}`, 'ACKED', '12', '2.0 s', '1', '3 of 4 endpoints healthy, 1 locality'].map((text) => ({
      text,
    })),
  );
  const trees: { table: TableModule['table']; times: number[] }[] = [];
  for (const [i, folder] of folders.entries()) trees.push({ ...(await tableModule(root, folder, i)), times: [] });
  for (let run = 0; run < RUNS + WARM_UP; run++) {
    for (const { table, times } of trees) {
      const start = process.cpuUsage();
      table(COLUMNS, rows, 120);
      const { user, system } = process.cpuUsage(start);
      if (run >= WARM_UP) times.push((user + system) / 1000);
    }
  }
  const [before = [], after = []] = trees.map(({ times }) => times);
  return { what: `a table of ${ROWS.toLocaleString('en')} rows`, unit: 'ms of CPU', before, after };
}

async function tableModule(root: string, folder: string, number: number): Promise<TableModule> {
  const outfile = join(root, `node_modules/.cache/bench/table-${number}.mjs`);
  await build({
    entryPoints: [join(folder, 'src/view/render/table.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [lightStringWidth(folder)],
    logLevel: 'error',
  });
  return (await import(pathToFileURL(outfile).href)) as TableModule;
}
