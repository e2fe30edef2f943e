import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/cli/command.js';
import { allCommands } from '../../src/cli/commands/index.js';
import type { Options } from '../../src/cli/option.js';
import { connectingOptions, servingOptions } from '../../src/cli/options/connecting.js';
import { findingOptions } from '../../src/cli/options/findings.js';
import { resourceFilterOptions } from '../../src/cli/options/resource-filter.js';
import { SHARED_OPTIONS } from '../../src/cli/options/shared.js';
import { ROOT } from '../support/root.js';
import { flagLines, synopsis } from './synopsis.js';

const COMMANDS = await allCommands();

const UPDATES = process.env.UPDATE_DOCS === '1';
const SHARED: Options = { ...connectingOptions, ...resourceFilterOptions, ...findingOptions, ...servingOptions };

/** The first block of a page after a heading or a line; UPDATE_DOCS=1 rewrites it. */
function block(page: string, after: RegExp, declared: string): string {
  const path = join(ROOT, page);
  const pattern = new RegExp(`(${after.source}\\n+\`\`\`\\n)([\\s\\S]*?)(\\n\`\`\`)`, 'm');
  if (UPDATES) {
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(pattern, (_all, before, _old, end) => `${before}${declared}${end}`),
    );
  }
  return pattern.exec(readFileSync(path, 'utf8'))?.[2] ?? `no block after ${after.source}`;
}

/** Flags that the tables of a page explain: `-o`, `--output`. */
function explained(page: string): string[] {
  const rows = readFileSync(join(ROOT, page), 'utf8').matchAll(/^\| (`-[^|]+?) \|/gm);
  return [...rows].map(([, cell]) => cell as string);
}

/** The spelling of each flag in a table, with its alias. */
function spellings(options: Options): Map<string, string> {
  return new Map(
    Object.entries(options).map(([name, { alias }]) => [
      `\`--${name}\``,
      alias === undefined ? `\`--${name}\`` : `\`-${alias}\`, \`--${name}\``,
    ]),
  );
}

function expectTrue(page: string, options: Options): void {
  const known = spellings({ ...options, ...SHARED_OPTIONS });
  for (const cell of explained(page)) {
    const flags = cell.match(/`--[\w-]+`/g) ?? [];
    for (const flag of flags) {
      expect([...known.keys()], `${page} explains ${flag}`).toContain(flag);
      expect(cell, `${page}: how ${flag} is spelled`).toContain(known.get(flag));
    }
  }
}

describe('docs/commands', () => {
  it.each(COMMANDS.map((command) => [wordsOf(command).join('-'), command] as const))(
    '%s matches the declaration of the command',
    (name, command) => {
      const page = `docs/commands/${name}.md`;
      const declared = synopsis(command, SHARED);
      expect(block(page, /^## Flags/, declared)).toBe(declared);
      expectTrue(page, command.options);
    },
  );

  it('README.md has a row for each command, as declared', () => {
    const page = join(ROOT, 'docs/commands/README.md');
    const pattern = /(<!-- commands: [^>]*-->\n)([\s\S]*?)(<!-- end of commands -->)/;
    const rows = COMMANDS.map(
      (command) => `| [\`${command.usage}\`](${wordsOf(command).join('-')}.md) | ${command.describe} |\n`,
    );
    const declared = ['| command | does |\n', '|---|---|\n', ...rows].join('');
    if (UPDATES)
      writeFileSync(
        page,
        readFileSync(page, 'utf8').replace(pattern, (_all, before, _old, end) => `${before}${declared}${end}`),
      );
    expect(pattern.exec(readFileSync(page, 'utf8'))?.[2]).toBe(declared);
  });

  it('connecting.md has the shared flags, as declared', () => {
    const page = 'docs/connecting.md';
    const connecting = flagLines(connectingOptions).join('\n');
    const listing = flagLines(resourceFilterOptions).join('\n');
    expect(block(page, /<!-- connecting flags -->/, connecting)).toBe(connecting);
    expect(block(page, /<!-- listing flags -->/, listing)).toBe(listing);
    const findings = flagLines(findingOptions).join('\n');
    expect(block(page, /<!-- findings flags -->/, findings)).toBe(findings);
    const serving = flagLines(servingOptions).join('\n');
    expect(block(page, /<!-- serving flags -->/, serving)).toBe(serving);
    expectTrue(page, SHARED);
  });
});
