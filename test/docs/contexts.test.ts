import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readContexts } from '../../src/bootstrap/contexts/read-contexts.js';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT, runCli } from '../support/cli.js';

const page = readFileSync(join(ROOT, 'docs/contexts.md'), 'utf8');
const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text as string);
const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/contexts.schema.json'), 'utf8'));
const validate = new Ajv({ allowUnionTypes: true }).compile(schema);

describe('docs/contexts.md', () => {
  it.each(examples)('has an example that is a valid file: %#', (text) => {
    expect(readContexts(text)).toMatchObject({ ok: true });
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
  });

  it('explains every key of the schema', () => {
    const keys = new Set<string>();
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, inner] of Object.entries(node)) {
        if (key === 'properties') for (const name of Object.keys(inner)) keys.add(name);
        collect(inner);
      }
    };
    collect(schema);
    expect(keys.size).toBeGreaterThan(15);
    expect([...keys].filter((key) => !page.includes(`\`${key}\``) && !page.includes(`\`${key}: `))).toEqual([]);
  });

  it('has an example that docs/commands/context-list.md lists', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'prod'));
    for (const name of ['prod/bootstrap.json', 'staging-ca.pem', 'me.pem', 'me.key', 'root-cert.pem', 'istio-token'])
      writeFileSync(join(folder, name), '');
    const file = join(folder, 'config.yaml');
    writeFileSync(file, examples[0] as string);
    const variables = { XDS_INSPECT_CONFIG: file, XDS_INSPECT_CONTEXT: 'prod' };
    const { stdout } = await runCli(['context', 'list'], variables);
    const shown = stdout.replace(file, '/home/me/.config/xds-inspect/config.yaml');
    expect(readFileSync(join(ROOT, 'docs/commands/context-list.md'), 'utf8')).toContain(
      `$ xds-inspect context list\n${shown}\`\`\`\n`,
    );
  });
});
