import type { ChangeItem } from '../documents.js';
import type { Page } from '../formats.js';
import type { GetView } from '../get.js';
import { visible, visibleAtStart } from '../visible-text.js';
import { jsonText } from './json.js';

/** Names; those of several types have the type as a prefix, as in `status -o name`: `CDS/blue`. */
export function resourceNames({ type: all, resources }: GetView): string {
  return resources.map(({ type, name }) => nameLine(all === type ? name : `${type}/${name}`)).join('');
}

export function resourceChangeNames(_page: Page): (item: ChangeItem) => string {
  return (item) => {
    const resource = item.resource();
    return resource === undefined ? '' : nameLine(resource.name);
  };
}

export function resourceChangeJsonLines(_page: Page): (item: ChangeItem) => string {
  return (item) => jsonText(item.event(), true);
}

function nameLine(name: string): string {
  return `${visibleAtStart(visible(name))}\n`;
}
