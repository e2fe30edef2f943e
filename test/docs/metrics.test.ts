import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  INSTRUMENTS,
  type Instrument,
  type InstrumentName,
  prometheusName,
} from '../../src/inspect/metrics/instruments.js';
import { LABELS, type Label } from '../../src/inspect/metrics/labels.js';
import { ROOT } from '../support/root.js';

const PAGE = join(ROOT, 'docs/metrics.md');

const code = (text: string): string => `\`${text}\``;
const labelName = (name: string): string => code(name.replaceAll('.', '_'));

const metrics = (Object.entries(INSTRUMENTS) as [InstrumentName, Instrument][])
  .map(
    ([name, { kind, labels, description }]) =>
      `| ${code(prometheusName(name))} | ${code(name)} | ${kind} | ${labels.map(labelName).join(', ')} | ${description} |`,
  )
  .join('\n');

const labels = (Object.entries(LABELS) as [string, Label][])
  .map(([name, { description, values }]) => {
    const listed = values === undefined || name === 'code' ? '' : `: ${values.map(code).join(', ')}`;
    return `| ${labelName(name)} | ${description}${listed} |`;
  })
  .join('\n');

/** The rows of the table with this header. With UPDATE_DOCS, they are written. */
function rowsBelow(header: RegExp, rows: string): string | undefined {
  const pattern = new RegExp(`(${header.source}\\n\\|[-|]+\\|\\n)((?:\\|.*\\n)*)`);
  const page = readFileSync(PAGE, 'utf8');
  if (process.env.UPDATE_DOCS)
    writeFileSync(
      PAGE,
      page.replace(pattern, (_all, head) => `${head}${rows}\n`),
    );
  return pattern.exec(readFileSync(PAGE, 'utf8'))?.[2]?.trimEnd();
}

describe('docs/metrics.md', () => {
  it('lists every metric', () => {
    expect(rowsBelow(/\| metric \| instrument .*\|/, metrics)).toBe(metrics);
  });

  it('lists every label', () => {
    expect(rowsBelow(/\| label \| meaning \|/, labels)).toBe(labels);
  });
});
