import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { ROOT } from '../support/root.js';
import { serving } from '../support/serving.js';
import { plainText, svgText, terminalSvg } from './terminal-svg.js';

const PICTURE = join(ROOT, 'docs/images/report.svg');
const PAGE = join(ROOT, 'docs/commands/report.md');
const EXAMPLE = /(<!-- example: fixtures\/scenarios\/docs\/orders\.yaml -->\n```\n)([\s\S]*?)(\n```)/;
const COLUMNS = 104;
const PROMPT = '$ xds-inspect orders';
const UPDATES = process.env.UPDATE_DOCS === '1';

/** Replaces ports and ages, which differ in each run. */
function steady(output: string): string {
  return output
    .replace(/127\.0\.0\.1:\d+/g, '10.0.0.7:18000')
    .replace(/AGE +SERVER/, 'AGE    SERVER')
    .replace(/(?<= )\d+(?:\.\d+)? m?s +(?=1(?: |$))/gm, '0.2 s  ')
    .trimEnd();
}

let lines: string[];
beforeAll(async () => {
  const variables = await serving(join(ROOT, 'fixtures/scenarios/docs/orders.yaml'));
  const run = await runCli(['orders', '--color', 'always'], variables, { columns: COLUMNS, rows: 50 });
  expect(run.code, run.stderr).toBe(79);
  lines = [PROMPT, ...steady(run.stdout).split('\n')];
});

describe('the picture of the report', () => {
  it('shows the current output of the report (UPDATE_DOCS=1 redraws it)', () => {
    const title = 'xds-inspect orders: the verdict and its cause first, then the evidence';
    if (UPDATES) writeFileSync(PICTURE, terminalSvg(title, lines, COLUMNS));
    const picture = readFileSync(PICTURE, 'utf8');
    expect(svgText(picture)).toEqual(lines.map(plainText).filter((line) => line !== ''));
    expect(picture).toBe(terminalSvg(title, lines, COLUMNS));
  });

  it('equals the example in docs/commands/report.md', () => {
    const text = lines.map((line) => plainText(line).trimEnd()).join('\n');
    const page = readFileSync(PAGE, 'utf8');
    if (UPDATES)
      writeFileSync(
        PAGE,
        page.replace(EXAMPLE, (_, start, _old, end) => `${start}${text}${end}`),
      );
    expect(EXAMPLE.exec(readFileSync(PAGE, 'utf8'))?.[2]).toBe(text);
  });

  it('is in the README', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('(docs/images/report.svg)');
  });
});
