import { didYouMean } from '../base/nearest.js';
import { API_TYPES } from './api-types.js';
import type { Catalogue } from './json/catalogue.js';
import { typeNameOf } from './json/type-name.js';

export interface ResourceType {
  /** `CDS`, or the type URL for a type without a short name. */
  short: string;
  typeUrl: string;
  /** A warning about the type. The client subscribes to it anyway. */
  remark: string | undefined;
}

/** The plural names of resources, by short type name. */
const PLURALS: Readonly<Record<string, string>> = {
  LDS: 'listeners',
  RDS: 'routes',
  CDS: 'clusters',
  EDS: 'endpoints',
  SDS: 'secrets',
};

/** Returns `clusters`; for a type without a plural name, `RTDS resources`. */
export function resourcesText(short: string): string {
  return PLURALS[short] ?? `${short} resources`;
}

/**
 * Finds a resource type by user input: a short name or a resource name (`cluster`, `clusters`) in any case, a type URL,
 * the full name of a message, or its last part (`Cluster`). Also accepts an unknown type URL or full name.
 */
export function resourceType(typed: string, catalogue: Catalogue): ResourceType | { problem: string } {
  const known = API_TYPES[shortOf(typed) ?? typed.toUpperCase()];
  if (known !== undefined) return describeType(known, catalogue);
  if (typed.includes('/')) return describeType(typed, catalogue);
  if (typed.includes('.')) return describeType(`type.googleapis.com/${typed}`, catalogue);
  const candidates = [...catalogue.messageNames()].filter((name) => lastPart(name) === typed.toLowerCase());
  const [best, ...others] = preferred(candidates);
  if (best !== undefined && others.length === 0) return describeType(`type.googleapis.com/${best}`, catalogue);
  if (best !== undefined)
    return { problem: `"${typed}" is ambiguous (${candidates.slice(0, 5).join(', ')}): use the full name` };
  const names = [...Object.values(PLURALS), ...Object.keys(API_TYPES).map((short) => short.toLowerCase())];
  const hint = didYouMean(typed, names) || `: expected ${names.join(', ')}, the name of a message or a type URL`;
  return { problem: `"${typed}" is not a resource type${hint}` };
}

function shortOf(word: string): string | undefined {
  const plural = `${word.toLowerCase().replace(/s$/, '')}s`;
  return Object.entries(PLURALS).find(([, one]) => one === plural)?.[0];
}

function describeType(typeUrl: string, catalogue: Catalogue): ResourceType {
  const short = Object.entries(API_TYPES).find(([, url]) => url === typeUrl)?.[0] ?? typeUrl;
  const name = typeNameOf(typeUrl);
  if (catalogue.message(name) !== undefined) return { short, typeUrl, remark: undefined };
  const hint = didYouMean(name, catalogue.messageNames());
  return { short, typeUrl, remark: `${name} is not in the API${hint}: requesting it anyway` };
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Returns the messages that are resources, if there are any; otherwise all of them. */
function preferred(names: readonly string[]): readonly string[] {
  const resources = new Set(Object.values(API_TYPES).map(typeNameOf));
  const candidates = names.filter((name) => resources.has(name));
  return candidates.length > 0 ? candidates : names;
}
