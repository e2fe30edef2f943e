import type { ChangeItem } from '../documents.js';
import type { Page } from '../formats.js';
import type { GetView, ResourceView } from '../get.js';
import { visible, visibleAtStart, visibleName, visibleShort } from '../visible-text.js';
import { type Column, table } from './table.js';
import { yamlParts } from './yaml-parts.js';

/** A resource as a separate YAML document, which other commands accept as input. Facts about it are a comment. */
export function* resourceDocument(view: ResourceView): Iterable<string> {
  yield `---\n# ${resourceHeading(view)}\n`;
  yield* yamlParts(view.resource);
}

export function* resourceDocuments({ resources }: GetView): Iterable<string> {
  for (const resource of resources) yield* resourceDocument(resource);
}

export function resourceChangeDocuments(_page: Page): (item: ChangeItem) => string {
  return (item) => {
    const resource = item.resource();
    return resource === undefined ? '' : [...resourceDocument(resource)].join('');
  };
}

function resourceHeading({ name, version, ttl, verdict, server }: ResourceView): string {
  const facts = [visible(name) || '(no name)', `version ${visible(version)}`, `from ${visible(server)}`];
  if (ttl !== undefined) facts.push(`ttl ${visible(ttl)}`);
  return [...facts, verdict].join(' · ');
}

const COLUMNS: readonly Column[] = [
  { title: 'NAME', minWidth: 12, cut: 'middle' },
  { title: 'VERSION', minWidth: 10, cut: 'middle', dropOrder: 2 },
  { title: 'SIZE', dropOrder: 1 },
  { title: 'VERDICT' },
];

/** Resources as a table, with a type column if there are several types. */
export function resourceTable(
  { type: all, resources }: Pick<GetView, 'type' | 'resources'>,
  { paint, width }: Pick<Page, 'paint' | 'width'>,
): string {
  if (resources.length === 0) return '';
  const hasTypes = resources.some(({ type }) => type !== all);
  const rows = resources.map(({ type, name, version, bytes, verdict }) => [
    ...(hasTypes ? [{ text: type }] : []),
    { text: visibleAtStart(visibleName(name)) || '(no name)' },
    { text: visibleShort(version) },
    { text: `${bytes} B` },
    { text: verdict, ...(verdict === 'rejected' && { paint: paint.error }) },
  ]);
  return table(hasTypes ? [{ title: 'TYPE' }, ...COLUMNS] : COLUMNS, rows, width)
    .map((line) => `${line}\n`)
    .join('');
}
