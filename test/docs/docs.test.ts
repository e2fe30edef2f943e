import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/commands/index.js';
import { connectingOptions, listingOptions, servingOptions } from '../../src/cli/connecting-options.js';
import { EXIT } from '../../src/cli/exit-codes.js';
import { findingOptions } from '../../src/cli/finding-options.js';
import { PROTOCOL_FINDINGS } from '../../src/findings/catalogue.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import { ROOT } from '../support/root.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = (folder: string, ending: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...files('docs', '.md')];

describe('docs/grfc-coverage.md', () => {
  const coverage = read('docs/grfc-coverage.md');

  it('has a row for every rule that the code cites', () => {
    const cited = new Set<string>();
    for (const file of files('src', '.ts').filter((name) => !name.includes('generated'))) {
      for (const [rule] of read(file).matchAll(/\b[RD]\d+(?:\.\d+)?\b/g)) cited.add(rule);
    }
    expect(cited.size).toBeGreaterThan(10);
    expect([...cited].filter((rule) => !coverage.includes(`| ${rule} |`))).toEqual([]);
  });

  it('names only files and tests that exist', () => {
    const named = new Set(
      [...coverage.matchAll(/\b(?:src|test|proto)\/[\w./-]+\.(?:ts|proto)\b/g)].map(([path]) => path),
    );
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('every page', () => {
  for (const page of pages) {
    it(`${page} links only to what exists`, () => {
      const links = [...read(page).matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target as string);
      expect(links.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
    });
  }
});

describe('commands', () => {
  const shared = read('docs/connecting.md');
  const SHARED = new Set(
    Object.keys({ ...connectingOptions, ...listingOptions, ...findingOptions, ...servingOptions }),
  );
  for (const command of COMMANDS) {
    const name = wordsOf(command).join('-');
    it(`${name} has a page with its usage and all its flags, and a row in the README`, () => {
      const page = read(`docs/commands/${name}.md`);
      expect(page).toContain(`xds-inspect ${command.usage}`);
      for (const flag of Object.keys(command.options)) {
        const where = SHARED.has(flag) && page.includes('(../connecting.md)') ? shared : page;
        expect(where, flag).toContain(`\`--${flag}\``);
      }
      expect(read('README.md')).toContain(`[\`${command.usage}\`](docs/commands/${name}.md)`);
    });
  }

  it('exit codes are all explained', () => {
    const page = read('docs/exit-codes.md');
    for (const code of Object.values(EXIT)) expect(page).toContain(`| ${code} |`);
  });
});

describe('docs/scenario.md', () => {
  it('has an example that is a good scenario', () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(read('docs/scenario.md'))?.[1] as string;
    const result = readScenario(example, () => ({ failure: 'the example must need no other file' }));
    expect(result).toMatchObject({ ok: true, scenario: { nodeId: 'my-node' } });
  });
});

describe('the README', () => {
  it('shows figures that the bench has written', () => {
    expect(read('README.md')).toMatch(
      /<!-- figures[^>]*-->\n\| what \| measured \|[\s\S]*× `node -e 0`[\s\S]*<!-- end of figures -->/,
    );
  });
});

describe('finding codes', () => {
  it('each have a page, and each page a code in use', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const used = new Set(
      sources.flatMap((name) => readFileSync(join(ROOT, 'src', name), 'utf8').match(/XI\d{3}/g) ?? []),
    );
    const pages = readdirSync(join(ROOT, 'docs/findings')).flatMap((name) => /^(XI\d{3})\.md$/.exec(name)?.[1] ?? []);
    expect([...used].sort()).toEqual(pages.sort());
    for (const code of pages)
      expect(readFileSync(join(ROOT, 'docs/findings', `${code}.md`), 'utf8')).toMatch(
        new RegExp(`^# ${code}: .+\\n\\nSeverity: \\w+\\n\\n[\\s\\S]+\\*\\*What to do:\\*\\*`),
      );
  });

  it('are all in the table, with the title and severity of their page', () => {
    const table = read('docs/findings/README.md');
    for (const page of files('docs/findings', '.md').filter((name) => /XI\d{3}\.md$/.test(name))) {
      const [, code, title, severity] = /^# (XI\d{3}): (.+)\n\nSeverity: (\w+)/.exec(read(page)) ?? [];
      expect(table).toContain(`| [${code}](${code}.md) | ${severity} | ${title} |`);
    }
  });

  it('of the protocol have the severity and the advice of their page', () => {
    for (const [code, { severity, advice }] of Object.entries(PROTOCOL_FINDINGS)) {
      const page = read(`docs/findings/${code}.md`);
      expect(page).toContain(`Severity: ${severity}\n`);
      expect(page).toContain(`**What to do:** ${advice}`);
    }
  });
});
