import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/view/formats.js';
import { lookUp } from '../../src/view/manual/look-up.js';
import { Manual } from '../../src/view/manual/manual.js';
import { manualText } from '../../src/view/render/manual.js';

const GLOSSARY = `# Glossary

## config tear

Parts that do
not fit.

Also: tear

Kinds: dangling-cluster, flap

Source: [A74](https://a.example/A74.md)

## NACK

A rejection.

Source: xDS
`;
const TEXTS = new Map([
  ['commands/bootstrap-validate.md', '# xds-inspect bootstrap validate\n'],
  ['commands/tears.md', '# xds-inspect tears\n\nIt observes. It reports what A74 did\nabout them.\n'],
  ['findings/XI204.md', '# XI204: omitted\n'],
  ['findings/README.md', '# Findings\n'],
  ['glossary.md', GLOSSARY],
  ['tears.md', '# Tears\n\n```\nA74 in code\n```\n\n| A74 | [keeps](x.md) |\n'],
]);
const manual = new Manual(TEXTS);

describe('a word in the manual', () => {
  it.each([
    ['XI204', 'findings/XI204.md'],
    ['xi204', 'findings/XI204.md'],
    ['tears', 'commands/tears.md'],
    ['bootstrap validate', 'commands/bootstrap-validate.md'],
    ['bootstrap-validate', 'commands/bootstrap-validate.md'],
    ['glossary', 'glossary.md'],
    ['tears.md', 'tears.md'],
    ['docs/tears.md', 'tears.md'],
    ['../tears.md', 'tears.md'],
    ['commands/tears.md', 'commands/tears.md'],
    ['XI204.md', 'findings/XI204.md'],
  ])('such as %s leads to %s', (word, path) => {
    expect(lookUp(manual, word)).toBe(TEXTS.get(path));
  });

  it.each(['config tear', 'Tear', 'flap', 'dangling-cluster'])(
    'such as %s leads to the entry of the glossary',
    (word) => {
      const text = lookUp(manual, word);
      expect(text).toMatch(/^# config tear\n\nParts that do\nnot fit\.\n/);
      expect(text).not.toContain('NACK');
    },
  );

  it('that is a gRFC leads to the terms and pages that cite it, with a sentence of each', () => {
    expect(lookUp(manual, 'a74')).toBe(
      [
        '# A74',
        'https://a.example/A74.md',
        '## Terms',
        '- **config tear**: Parts that do not fit.',
        '## Pages',
        '- [commands/tears.md](commands/tears.md), xds-inspect tears: It reports what A74 did about them.\n- [tears.md](tears.md), Tears: A74: keeps\n',
      ].join('\n\n'),
    );
  });

  it.each(['A7', 'A9999', 'XI999', 'nothing.md', 'README2'])('such as %s is not found', (word) => {
    expect(lookUp(manual, word)).toBeUndefined();
  });

  it('that is empty leads to the list of pages with the word for each', () => {
    const list = lookUp(manual, '') as string;
    expect(list).toContain('- `glossary`: Glossary\n- `tears.md`: Tears');
    expect(list).toContain('\n\nbootstrap-validate, tears\n\n');
    expect(list).toContain('\n\nXI204\n\n');
    expect(list).toContain('\n\nconfig tear, NACK\n');
  });
});

describe('a page of the manual', () => {
  const mark = (name: string) => (text: string) => `<${name}:${text}>`;
  const paint = {
    ...{ error: mark('error'), warning: mark('warning'), note: mark('note'), good: mark('good') },
    ...{ dim: mark('dim'), strong: mark('strong') },
  };
  const page = (isTerminal: boolean): Page => ({
    ...{ paint, isColored: true, width: 40, isTerminal, showsTimes: false, listsAll: false },
    ageOf: () => 0,
  });
  const MARKDOWN = [
    '# Title',
    'A paragraph with `code`\nand [a page](../tears.md#flap), [a site](https://x.example),\n[tears.md](tears.md), [a file](a.json).',
    '<!-- for tools -->\n- one item that is longer than\n  a line of the terminal\n- **two**',
    '```sh\nas it   is\n\n# no heading\n```',
    '| a | table that is never wrapped, however long it is |\n|---|---|\n',
  ].join('\n\n');

  it('is printed as Markdown in a pipe', () => {
    expect(manualText(MARKDOWN, page(false))).toBe(MARKDOWN);
  });

  it('is wrapped on a terminal, with highlighted headings and code', () => {
    expect(manualText(MARKDOWN, page(true)).split('\n')).toEqual([
      '<strong:Title>',
      '',
      'A paragraph with <dim:code> and a page',
      '(docs tears.md), a site',
      '<https://x.example>, docs tears.md, a',
      'file.',
      '',
      '- one item that is longer than a line of',
      '  the terminal',
      '- <strong:two>',
      '',
      '<dim:as it   is>',
      '<dim:>',
      '<dim:# no heading>',
      '',
      '| a | table that is never wrapped, however long it is |',
      '|---|---|',
      '',
    ]);
  });
});
