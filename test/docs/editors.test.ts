import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readExpectations } from '../../src/inspect/expect/read-expectations.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { readResourceFile } from '../../src/resources/files/resource-file.js';
import { findSchema } from '../../src/view/schema/schema-list.js';
import { ROOT } from '../support/root.js';

const page = readFileSync(join(ROOT, 'docs/editors.md'), 'utf8');
const block = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text]) => text as string);

const written = new Map(
  [...page.matchAll(/^xds-inspect schema (\S+) > (\S+)$/gm)].map(([, word, file]) => [file, word]),
);

describe('docs/editors.md', () => {
  it('writes schemas that exist to files with their names', () => {
    expect(written.size).toBe(4);
    for (const [file, word = ''] of written) {
      expect(findSchema(word, xdsCatalogue)).not.toHaveProperty('problem');
      expect(file).toBe(`.schemas/${word}.schema.json`);
    }
  });

  it('has examples that are valid files, each with a schema that exists', () => {
    const [resources = '', expectations = ''] = block('yaml');
    const first = (text: string): string | undefined => /^# yaml-language-server: \$schema=(.*)$/m.exec(text)?.[1];
    expect(written.get(first(resources))).toBe('resources');
    const file = readResourceFile('a.yaml', new TextEncoder().encode(resources));
    expect(file.problems).toEqual([]);
    expect(file.responses.flatMap((one) => one.resources.flatMap(({ unknownParts }) => unknownParts))).toEqual([]);
    expect(readExpectations(expectations).ok).toBe(true);
    const path = first(expectations)?.replace('node_modules/xds-inspect/', '') ?? '';
    expect(existsSync(join(ROOT, path))).toBe(true);
  });

  it('has settings for VS Code that name the written schemas', () => {
    const settings = JSON.parse(block('json')[0] ?? '') as {
      'yaml.schemas': Record<string, string[]>;
      'json.schemas': { url: string }[];
    };
    const files = [
      ...Object.keys(settings['yaml.schemas']),
      ...settings['json.schemas'].map(({ url }) => url.slice(2)),
    ];
    expect(files.length).toBe(5);
    for (const file of files) expect(written.has(file), file).toBe(true);
  });
});
