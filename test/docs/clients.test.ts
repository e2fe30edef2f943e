import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import recorded from '../../fixtures/client/c-core.json' with { type: 'json' };
import { PRESETS } from '../../src/bootstrap/presets.js';
import { ROOT } from '../support/root.js';
import { CLIENT_TOPICS, type ClientTopic, COMPARED_CLIENTS } from './client-topics.js';

const PAGE = join(ROOT, 'docs/other-implementations.md');
const MARKS = ['<!-- clients: written from the presets by UPDATE_DOCS=1 -->', '<!-- end of clients -->'] as const;

const scenariosOf = ({ scenarios }: ClientTopic): string[] =>
  recorded.scenarios.map(({ id }) => id).filter((id) => id.startsWith(scenarios));

/** A list per topic: clients with the same behaviour share a line. */
function sectionOf(topic: ClientTopic): string {
  const clients = new Map<string, string[]>();
  for (const name of COMPARED_CLIENTS) {
    const behaviour = topic.behaviour(PRESETS[name]);
    clients.set(behaviour, [...(clients.get(behaviour) ?? []), name]);
  }
  const lines = [...clients].map(([behaviour, names]) => `- **${names.join(', ')}:** ${behaviour}`);
  const count = scenariosOf(topic).length;
  const evidence = `Scenarios: \`${topic.scenarios}*\` (${count}).`;
  return [`### ${topic.title}`, lines.join('\n'), evidence].join('\n\n');
}

const generated = `${MARKS[0]}\n\n${CLIENT_TOPICS.map(sectionOf).join('\n\n')}\n\n${MARKS[1]}`;
const between = (page: string): string => page.slice(page.indexOf(MARKS[0]), page.indexOf(MARKS[1]) + MARKS[1].length);

if (process.env.UPDATE_DOCS === '1') {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(between(page), () => generated),
  );
}

describe('the comparison of clients', () => {
  it('says what the presets say', () => {
    expect(between(readFileSync(PAGE, 'utf8'))).toBe(generated);
  });

  it.each(CLIENT_TOPICS)('has recorded scenarios about "$title"', (topic) => {
    expect(scenariosOf(topic).length).toBeGreaterThan(0);
  });
});
