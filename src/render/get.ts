import type { ResourceView } from '../view/get.js';
import { visible, visibleShort } from '../view/visible-text.js';
import type { Paint } from './bootstrap.js';
import { table } from './table.js';
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

export function resourceTable(resources: readonly ResourceView[], paint: Paint): string {
  const rows = resources.map(({ name, version, bytes, verdict }) => [
    { text: visible(name) || '(no name)' },
    { text: visibleShort(version) },
    { text: `${bytes} B` },
    { text: verdict, ...(verdict === 'rejected' && { paint: paint.error }) },
  ]);
  return table(['NAME', 'VERSION', 'SIZE', 'VERDICT'], rows)
    .map((line) => `${line}\n`)
    .join('');
}
