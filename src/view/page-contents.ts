import { redactText } from '../base/secret-name.js';
import type { RecordedVersion } from '../inspect/recorded-versions.js';
import { notesOnRejected } from '../inspect/report/rejected-notes.js';
import { xdsCatalogue } from '../proto/json/catalogue.js';
import { printAny } from '../proto/json/print.js';
import type { ClientContext } from '../resources/context.js';
import { contentKey, type PageContent } from './page-data.js';
import { yamlText } from './render/yaml.js';

/** Further rejected versions get no notes: these take many times as long as the rest. */
const MAX_NOTED = 100;

export interface ContentOptions {
  context: ClientContext;
  showSecrets: boolean;
}

/** Prints the versions of resources for a page, each one once. */
export class PageContents {
  readonly #options: ContentOptions;
  readonly #keys = new Set<string>();
  #noted = 0;
  /** Whether a resource contains a regular expression, so that the page needs RE2. */
  hasRegex = false;

  constructor(options: ContentOptions) {
    this.#options = options;
  }

  /** Returns undefined for a version that was printed before. */
  add({ typeUrl, bytes, isRejected }: Omit<RecordedVersion, 'name'>): PageContent | undefined {
    const key = contentKey(typeUrl, bytes);
    if (this.#keys.has(key)) return undefined;
    this.#keys.add(key);
    const { context, showSecrets } = this.#options;
    const shown = (text: string): string => (showSecrets ? text : redactText(text));
    const json = printAny(xdsCatalogue, typeUrl, bytes, { showSecrets });
    this.hasRegex ||= containsRegex(json);
    const isNoted = isRejected && this.#noted < MAX_NOTED;
    if (isNoted) this.#noted++;
    return {
      key,
      yaml: shown(yamlText(json)),
      json: JSON.parse(shown(JSON.stringify(json))),
      notes: isNoted ? notesOnRejected(typeUrl, bytes, context) : [],
    };
  }
}

/** RegexMatcher, the only message for patterns of RE2, has the pattern in `regex`. */
function containsRegex(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (typeof (json as { regex?: unknown }).regex === 'string') return true;
  return Object.values(json).some(containsRegex);
}
