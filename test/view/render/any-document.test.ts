import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { jsonText } from '../../../src/view/render/json.js';
import { yamlText } from '../../../src/view/render/yaml.js';

/** Hidden characters, except line breaks and tabs. */
const HIDING = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

const strings = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '\x1b[2J',
        '\x9b',
        '\u202e',
        '\u2028',
        '\u{e0041}',
        '\n',
        '---',
        ': ',
        '# ',
        '"',
        "'",
        '\\',
        '\t',
        '\r',
        ' ',
        'a',
        '\ufeff',
      ),
    )
    .map((parts) => parts.join('')),
);
const documents = fc.dictionary(strings, fc.oneof(strings, fc.array(strings), fc.dictionary(strings, strings)));

describe('any document', () => {
  it('is equal when read back from YAML, and has no hidden characters', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = yamlText(document);
        expect(text).not.toMatch(HIDING);
        expect(Object.entries(parseDocument(text).toJS())).toEqual(Object.entries(document));
      }),
      { numRuns: 300 },
    );
  });

  it('is equal when read back from JSON, and has no hidden characters', () => {
    fc.assert(
      fc.property(documents, fc.boolean(), (document, isOneLine) => {
        const text = jsonText(document, isOneLine);
        expect(text).not.toMatch(HIDING);
        expect(Object.entries(JSON.parse(text))).toEqual(Object.entries(document));
        if (isOneLine) expect(text.trimEnd()).not.toContain('\n');
      }),
      { numRuns: 300 },
    );
  });

  it('quotes strings that YAML 1.1 parsers read as other types', () => {
    expect(yamlText({ a: 'yes', b: 'on', c: '0777', d: '1_000', e: '2001-01-01', f: '~', g: '' })).toBe(
      'a: "yes"\nb: "on"\nc: "0777"\nd: "1_000"\ne: "2001-01-01"\nf: "~"\ng: ""\n',
    );
  });
});
