import { didYouMean } from '../base/nearest.js';
import { API_TYPES } from './api-types.js';
import type { Catalogue } from './json/catalogue.js';
import { typeNameOf } from './json/type-name.js';

export interface ResourceType {
  /** `CDS`, or the type URL for a type without a short name. */
  short: string;
  typeUrl: string;
  /** What is odd about it; it is asked for all the same. */
  remark: string | undefined;
}

/** What people call the resources of a type, by its short name. */
const PLURALS: Readonly<Record<string, string>> = {
  LDS: 'listeners',
  RDS: 'routes',
  CDS: 'clusters',
  EDS: 'endpoints',
  SDS: 'secrets',
};

/** `clusters`; for a type without a plural of its own `RTDS resources`. */
export function resourcesText(short: string): string {
  return PLURALS[short] ?? `${short} resources`;
}

/**
 * A resource type as typed: a short name or what people call it (`cluster`, `clusters`) in any case, a type URL, the full
 * name of a message, or its last part (`Cluster`). A URL or full name that nobody knows is good as well.
 */
export function resourceType(typed: string, catalogue: Catalogue): ResourceType | { problem: string } {
  const known = API_TYPES[shortOf(typed) ?? typed.toUpperCase()];
  if (known !== undefined) return named(known, catalogue);
  if (typed.includes('/')) return named(typed, catalogue);
  if (typed.includes('.')) return named(`type.googleapis.com/${typed}`, catalogue);
  const fitting = [...catalogue.messageNames()].filter((name) => lastPart(name) === typed.toLowerCase());
  const [best, ...others] = preferred(fitting);
  if (best !== undefined && others.length === 0) return named(`type.googleapis.com/${best}`, catalogue);
  if (best !== undefined) return { problem: `"${typed}" may be ${fitting.slice(0, 5).join(', ')}: give the full name` };
  const words = [...Object.values(PLURALS), ...Object.keys(API_TYPES).map((short) => short.toLowerCase())];
  const hint = didYouMean(typed, words) || `: expected ${words.join(', ')}, the name of a message or a type URL`;
  return { problem: `"${typed}" is no resource type${hint}` };
}

function shortOf(word: string): string | undefined {
  const plural = `${word.toLowerCase().replace(/s$/, '')}s`;
  return Object.entries(PLURALS).find(([, one]) => one === plural)?.[0];
}

function named(typeUrl: string, catalogue: Catalogue): ResourceType {
  const short = Object.entries(API_TYPES).find(([, url]) => url === typeUrl)?.[0] ?? typeUrl;
  const name = typeNameOf(typeUrl);
  if (catalogue.message(name) !== undefined) return { short, typeUrl, remark: undefined };
  const hint = didYouMean(name, catalogue.messageNames());
  return { short, typeUrl, remark: `${name} is not in the API${hint}: it is asked for all the same` };
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Of several messages with that name, those that are resources. */
function preferred(names: readonly string[]): readonly string[] {
  const resources = new Set(Object.values(API_TYPES).map(typeNameOf));
  const fitting = names.filter((name) => resources.has(name));
  return fitting.length > 0 ? fitting : names;
}
