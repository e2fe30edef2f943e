import { parseMillis } from '../../base/duration.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { CACHE_STATUSES } from '../../core/cache-status.js';
import { RESOURCE_TYPES, type ShortType } from '../../proto/resource-types.js';
import type { CountRule } from '../expect/count-rule.js';
import type { ResourceKey } from '../expect/expectations.js';
import type { WaitCondition, WaitedExpectation } from './condition.js';

export type ReadConditions = { ok: true; conditions: WaitCondition[] } | { ok: false; problems: string[] };

/** A parsed condition, or the problem with its text. */
type ParsedCondition = WaitedExpectation | string;
type Comparator = CountRule['comparison'];

const TYPES = Object.keys(RESOURCE_TYPES) as ShortType[];
const KEYWORDS = ['ready', 'acked', 'stable'];
const PROPERTIES = ['endpoints', 'version'];

/** Parses all conditions without duplicates, and reports all problems together. */
export function readConditions(texts: readonly string[]): ReadConditions {
  const conditions: WaitCondition[] = [];
  const problems: string[] = [];
  for (const text of new Set(texts.map((one) => one.trim()))) {
    const slash = text.indexOf('/');
    const read =
      slash < 0 ? (readCount(text) ?? readKeyword(text)) : readResource(text.slice(0, slash), text.slice(slash + 1));
    if (typeof read === 'string') problems.push(`"${text}"${read}`);
    else conditions.push({ text, ...read });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, conditions };
}

const KINDS =
  'use ready, acked, stable=2s, CDS/name=ACKED, EDS/name.endpoints>=3, CDS/name.version=7 or CDS.count>=100';

/** `CDS.count>=100`; undefined if the text does not look like that. */
function readCount(text: string): ParsedCondition | undefined {
  const [, typed, comparator = '', value = ''] = /^([^.=<>!]*)\.count\s*(>=|<=|!=|==?|<|>)(.*)$/is.exec(text) ?? [];
  if (typed === undefined) return undefined;
  const type = TYPES.find((one) => one === typed.trim().toUpperCase());
  if (type === undefined) return unknownType(typed);
  const count = value.trim();
  if (!/^\d{1,9}$/.test(count)) return `: the number of resources must be an integer, not "${count}"`;
  return { kind: 'count', type, count: { comparison: comparisonOf(comparator), value: Number(count) } };
}

function unknownType(typed: string): string {
  return `: unknown type "${typed}"${didYouMean(typed, TYPES)}: ${TYPES.join(', ')}`;
}

function comparisonOf(comparator: string): Comparator {
  return (comparator === '==' ? '=' : comparator) as Comparator;
}

function readKeyword(text: string): ParsedCondition {
  const [, word = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (word === 'ready' || word === 'acked') {
    if (value !== undefined) return `: ${word} takes no value`;
    return word === 'acked' ? { kind: word } : { kind: 'verdict', verdicts: ['ok'] };
  }
  if (word === 'stable') {
    const forMs = parseMillis(value ?? '');
    if (forMs === undefined) return ': stable requires a duration, such as stable=500ms, stable=2s or stable=1m';
    return { kind: 'stable', forMs };
  }
  if (text.includes(','))
    return ' is not a condition: repeat --until for each condition, since names may contain commas';
  return ` is not a condition${didYouMean(word, KEYWORDS)}: ${KINDS}`;
}

/** Names may contain dots and comparators, so the last comparison in the text counts. */
function readResource(typed: string, rest: string): ParsedCondition {
  const type = TYPES.find((one) => one === typed.toUpperCase());
  if (type === undefined) return unknownType(typed);
  const property = /^(.+)\.(endpoints|version)(>=|<=|!=|==?|<|>)(.*)$/s.exec(rest);
  if (property === null) return readStatus(type, rest);
  const [, name = '', what, comparator = '', value = ''] = property;
  const plain = comparisonOf(comparator);
  return what === 'version'
    ? readVersion({ type, name }, plain, value)
    : readEndpoints({ type, name }, plain, value.trim());
}

function readVersion(resource: ResourceKey, comparator: Comparator, version: string): ParsedCondition {
  if (comparator !== '=' && comparator !== '!=') return ': versions have no order: compare with = or !=';
  return { kind: 'version', resource, match: { kind: 'same', text: version }, isNot: comparator === '!=' };
}

function readEndpoints(resource: ResourceKey, comparison: Comparator, value: string): ParsedCondition {
  if (resource.type !== 'EDS')
    return `: only EDS resources have endpoints: did you mean "EDS/${resource.name}.endpoints${comparison}${value}"?`;
  if (!/^\d{1,9}$/.test(value)) return `: the number of endpoints must be an integer, not "${value}"`;
  return { kind: 'endpoints', resource, health: 'healthy', count: { comparison, value: Number(value) } };
}

function readStatus(type: ShortType, rest: string): ParsedCondition {
  const [, name = '', comparator, typed] = /^(.*?)(!=|==?)([A-Za-z_]*)$/s.exec(rest) ?? [];
  const status = CACHE_STATUSES.find((one) => one === typed?.toUpperCase());
  if (status === undefined) return `: ${statusProblem(type, rest, typed)}`;
  if (name === '') return `: the resource name is missing: ${type}/name=${status}`;
  return { kind: 'status', resource: { type, name }, isNot: comparator === '!=', status };
}

/** Suggests the property or the status that the user most likely meant. */
function statusProblem(type: ShortType, rest: string, status: string | undefined): string {
  const [, name = '', word = '', comparison = ''] = /^(.*)\.([\w-]+)((?:>=|<=|!=|==?|<|>).*)$/s.exec(rest) ?? [];
  const property = nearest(word, PROPERTIES);
  if (property !== undefined) return `did you mean "${type}/${name}.${property}${comparison}"?`;
  const [, unnamed = '', ordered] = /^(.*)((?:>=|<=|<|>).*)$/s.exec(rest) ?? [];
  if (ordered !== undefined)
    return `the property is missing${type === 'EDS' ? ': ' : '; use for example '}EDS/${unnamed}.endpoints${ordered}`;
  if (status !== undefined && status !== '') {
    return `unknown status "${status}"${didYouMean(status, CACHE_STATUSES)}: ${CACHE_STATUSES.join(', ')}`;
  }
  return `the status is missing, as in ${type}/${rest.replace(/[!=]+$/, '')}=ACKED`;
}
