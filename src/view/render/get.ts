import type { ResourceView } from '../get.js';
import { visible, visibleAtStart, visibleName, visibleShort } from '../visible-text.js';
import type { Paint } from './paint.js';
import { type Column, table } from './table.js';
import { yamlText } from './yaml.js';

/** A YAML document of its own, so that it can be given to other commands; what is no part of it is a comment. */
export function resourceDocument(view: ResourceView): string {
  return `---\n# ${resourceHeading(view)}\n${yamlText(view.resource)}`;
}

function resourceHeading({ name, version, ttl, verdict, server }: ResourceView): string {
  const facts = [visible(name) || '(no name)', `version ${visible(version)}`, `from ${visible(server)}`];
  if (ttl !== undefined) facts.push(`ttl ${visible(ttl)}`);
  return [...facts, verdict].join(' · ');
}

const COLUMNS: readonly Column[] = [
  { title: 'NAME', least: 12, cut: 'middle' },
  { title: 'VERSION', least: 10, cut: 'middle', leaveOut: 2 },
  { title: 'SIZE', leaveOut: 1 },
  { title: 'VERDICT' },
];

export function resourceTable(resources: readonly ResourceView[], paint: Paint, width?: number): string {
  const rows = resources.map(({ name, version, bytes, verdict }) => [
    { text: visibleAtStart(visibleName(name)) || '(no name)' },
    { text: visibleShort(version) },
    { text: `${bytes} B` },
    { text: verdict, ...(verdict === 'rejected' && { paint: paint.error }) },
  ]);
  return table(COLUMNS, rows, width)
    .map((line) => `${line}\n`)
    .join('');
}
