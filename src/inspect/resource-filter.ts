import type { Event } from '../core/event.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { shortType } from '../proto/resource-types.js';
import { re2Error } from '../resources/regex/re2-syntax.js';
import { partialMatch } from '../routing/regex.js';

export type IsShown = (resource: { type: string; name: string; status: string }) => boolean;

/** The resources to show; undefined shows all. */
export interface FilterSettings {
  type: readonly string[] | undefined;
  status: readonly string[] | undefined;
  /** RE2. */
  name: string | undefined;
}

/** Decides which resources, events and findings are shown. All output formats of a command use the same filter. */
export class ResourceFilter {
  readonly #settings: FilterSettings;

  constructor(settings: FilterSettings) {
    this.#settings = settings;
  }

  /** Describes an invalid name pattern; undefined if it is valid. */
  static problemWith(pattern: string | undefined): string | undefined {
    if (pattern === undefined || partialMatch(pattern, '') !== undefined) return undefined;
    return re2Error(pattern) ?? `"${pattern}" is not supported`;
  }

  readonly isShown: IsShown = ({ type, name, status }) =>
    this.#hasType(type) && (this.#settings.status?.includes(status) ?? true) && this.#hasName(name);

  /** Hides events about other resources. Events about no resource are shown unless the filter has a status. */
  readonly isShownEvent = (event: Event): boolean => {
    const { type: types, status: statuses, name: pattern } = this.#settings;
    const type = 'typeUrl' in event && event.typeUrl !== undefined ? shortType(event.typeUrl) : undefined;
    if (type !== undefined && !this.#hasType(type)) return false;
    if (types !== undefined && event.kind === 'tear' && !event.resources.some((one) => types.includes(one.type)))
      return false;
    if (statuses !== undefined && !statuses.includes(cacheStatusOf(event))) return false;
    const names = namesOf(event);
    return pattern === undefined || names === undefined || names.some((name) => this.#hasName(name));
  };

  readonly isShownFinding = ({ typeUrl, names }: ProtocolFinding): boolean => {
    if (this.#settings.status !== undefined) return false;
    if (typeUrl !== undefined && !this.#hasType(shortType(typeUrl))) return false;
    return names.length === 0 || names.some((name) => this.#hasName(name));
  };

  #hasType(type: string): boolean {
    return this.#settings.type?.includes(type) ?? true;
  }

  #hasName(name: string): boolean {
    const { name: pattern } = this.#settings;
    return pattern === undefined || partialMatch(pattern, name) === true;
  }
}

function cacheStatusOf(event: Event): string {
  if (event.kind === 'resource') return event.status;
  return event.kind === 'error' ? (event.cache ?? '') : '';
}

function namesOf(event: Event): readonly string[] | undefined {
  if (event.kind === 'response') return [...event.names, ...event.errors.map(({ name }) => name)];
  if (event.kind === 'tear') return event.resources.map(({ name }) => name);
  if (event.kind === 'finding' && event.names.length === 0) return undefined;
  if ('names' in event) return event.names;
  return 'name' in event ? [event.name] : undefined;
}
