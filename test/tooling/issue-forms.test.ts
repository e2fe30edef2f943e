import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/root.js';

/** The parts of GitHub's issue forms that are used here. */
interface Form {
  name: string;
  description: string;
  labels: string[];
  body: { type: string; id?: string; attributes: Record<string, unknown>; validations?: { required: boolean } }[];
}

const FOLDER = join(ROOT, '.github/ISSUE_TEMPLATE');
const read = (name: string): unknown => parse(readFileSync(join(FOLDER, name), 'utf8'), { strict: true });
const FORMS = readdirSync(FOLDER).filter((name) => name !== 'config.yml');

describe('the issue forms', () => {
  it.each(FORMS)('have the keys that GitHub requires: %s', (name) => {
    const form = read(name) as Form;
    expect(Object.keys(form).sort()).toEqual(['body', 'description', 'labels', 'name']);
    expect(form.name).toMatch(/\S/);
    expect(form.description).toMatch(/\S/);
    const ids = form.body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, id, attributes, validations } of form.body) {
      expect(['markdown', 'textarea', 'input']).toContain(type);
      if (type === 'markdown')
        expect([id, validations, typeof attributes.value]).toEqual([undefined, undefined, 'string']);
      else expect([id, attributes.label]).toEqual([expect.stringMatching(/^[\w-]+$/), expect.stringMatching(/\S/)]);
      const known = ['label', 'description', 'placeholder', 'render', 'value'];
      expect(Object.keys(attributes).filter((key) => !known.includes(key))).toEqual([]);
    }
    expect(form.body.some(({ validations }) => validations?.required)).toBe(true);
  });

  it('ask for the session, the versions, and what was expected and seen', () => {
    const { body } = read('bug_report.yml') as Form;
    const required = body.filter(({ validations }) => validations?.required === true).map(({ id }) => id);
    expect(required).toEqual(['expected', 'seen', 'session', 'version', 'platform']);
    expect(JSON.stringify(body)).toMatch(/--bundle.*--version -v/);
  });

  it('send vulnerabilities to the private page that SECURITY.md and package.json name', () => {
    const config = read('config.yml') as { blank_issues_enabled: boolean; contact_links: Record<string, string>[] };
    expect(Object.keys(config)).toEqual(['blank_issues_enabled', 'contact_links']);
    for (const link of config.contact_links) expect(Object.keys(link)).toEqual(['name', 'url', 'about']);
    const { bugs } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { bugs: { url: string } };
    const page = bugs.url.replace(/issues$/, 'security/advisories');
    expect(config.contact_links[0]?.url).toBe(`${page}/new`);
    expect(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')).toContain(`${page}/new`);
  });
});
