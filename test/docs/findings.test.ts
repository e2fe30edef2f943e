import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CatalogueEntry, catalogue } from '../../src/findings/catalogue.js';
import { IMPLEMENTATIONS } from '../../src/peers/note.js';
import { RULES } from '../../src/peers/rules/index.js';
import { NOTE_TITLES } from '../../src/peers/rules/titles.js';
import { ROOT } from '../support/cli.js';

const UPDATES = process.env.UPDATE_DOCS === '1';
const FOLDER = join(ROOT, 'docs/findings');
const TABLE = join(FOLDER, 'README.md');
const NOTES = join(ROOT, 'docs/other-implementations.md');

/** Codes with a page of their own; notes on implementations share the page of XI104. */
const KINDS = catalogue().filter(({ family }) => family !== 'implementations');

const row = ({ code, severity, title }: CatalogueEntry): string => `| [${code}](${code}.md) | ${severity} | ${title} |`;

/** A page has the paragraphs heading, severity, meaning, details, advice, more advice. The catalogue contains four of them. */
function pageOf({ code, severity, title, what, advice }: CatalogueEntry, old: string): string {
  const paragraphs = old.trimEnd().split('\n\n');
  const end = paragraphs.findIndex((paragraph) => paragraph.startsWith('**What to do:**'));
  const details = end < 0 ? [] : paragraphs.slice(3, end);
  const more = end < 0 ? [] : paragraphs.slice(end + 1);
  const all = [`# ${code}: ${title}`, `Severity: ${severity}`, what, ...details, `**What to do:** ${advice}`, ...more];
  return `${all.join('\n\n')}\n`;
}

function noteRow({ code, who }: (typeof RULES)[number]): string {
  const decisions = IMPLEMENTATIONS.map((implementation) => who[implementation] ?? '');
  return `| ${[code, NOTE_TITLES[code], ...decisions].join(' | ')} |`;
}

function readPage(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

if (UPDATES) {
  for (const kind of KINDS) {
    const path = join(FOLDER, `${kind.code}.md`);
    writeFileSync(path, pageOf(kind, readPage(path)));
  }
  const table = readFileSync(TABLE, 'utf8');
  writeFileSync(
    TABLE,
    table.replace(/(?<=\|---\|---\|---\|\n)[\s\S]*$/, () => `${KINDS.map(row).join('\n')}\n`),
  );
  let page = readFileSync(NOTES, 'utf8');
  for (const kind of ['DL', 'DR', 'DC', 'DE', 'DW']) {
    const rows = RULES.filter(({ code }) => code.startsWith(kind)).map(noteRow);
    page = page.replace(new RegExp(`(\\| ${kind}\\d+ \\|.*\\n)+`), () => `${rows.join('\n')}\n`);
  }
  writeFileSync(NOTES, page);
}

describe('docs/findings', () => {
  it('has a page for every code of the catalogue, and no other', () => {
    const pages = readdirSync(FOLDER).flatMap((name) => /^(XI\d{3})\.md$/.exec(name)?.[1] ?? []);
    expect(pages.sort()).toEqual(KINDS.map(({ code }) => code).sort());
  });

  it.each(KINDS)('has the title, severity, meaning and advice of $code', (kind) => {
    const page = readPage(join(FOLDER, `${kind.code}.md`));
    expect(page).toBe(pageOf(kind, page));
  });

  it('lists every code in its table, in order', () => {
    const rows = readFileSync(TABLE, 'utf8').match(/^\| \[XI.*$/gm);
    expect(rows).toEqual(KINDS.map(row));
  });
});

describe('docs/other-implementations.md', () => {
  it('lists every note, with the decision of each implementation', () => {
    const rows = readFileSync(NOTES, 'utf8').match(/^\| D[LRCEW]\d+ \|.*$/gm);
    expect(rows).toEqual(RULES.map(noteRow));
  });
});

describe('the catalogue of findings', () => {
  it.each(KINDS)('describes $code in one sentence and advises in another', ({ what, advice }) => {
    for (const sentence of [what, advice]) expect(sentence).toMatch(/^\S.*\.$/);
    for (const sentence of [what, advice]) expect(sentence).not.toMatch(/\. \S/);
  });

  it('contains exactly the codes that the source reports', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('catalogue.ts'),
    );
    const reported = new Set(
      sources.flatMap((name) => readFileSync(join(ROOT, 'src', name), 'utf8').match(/'XI\d{3}'/g) ?? []),
    );
    expect([...reported].sort()).toEqual(KINDS.map(({ code }) => `'${code}'`).sort());
  });
});
