import { parseMillis } from '../../base/duration.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { CACHE_STATUSES } from '../../core/cache-status.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { CountRule } from '../expect/count-rule.js';
import type { Condition } from './condition.js';

export type ReadConditions = { ok: true; conditions: Condition[] } | { ok: false; problems: string[] };

type Read = { condition: Condition } | { problem: string };
type Type = keyof typeof RESOURCE_TYPES;
type Comparator = CountRule['comparison'];

const TYPES = Object.keys(RESOURCE_TYPES) as Type[];
const WORDS = ['ready', 'acked', 'stable'];
const PROPERTIES = ['endpoints', 'version'];

/** Reads every condition, each once, and reports all problems at once. */
export function readConditions(texts: readonly string[]): ReadConditions {
  const read = [...new Set(texts.map((text) => text.trim()))].map(readCondition);
  const problems = read.flatMap((one) => ('problem' in one ? [one.problem] : []));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, conditions: read.flatMap((one) => ('condition' in one ? [one.condition] : [])) };
}

function readCondition(text: string): Read {
  if (text === '') return { problem: `"" is no condition: ${KINDS}` };
  const slash = text.indexOf('/');
  return slash < 0 ? readWord(text) : readResource(text, text.slice(0, slash), text.slice(slash + 1));
}

const KINDS = 'there are ready, acked, stable=2s, CDS/name=ACKED, EDS/name.endpoints>=3 and CDS/name.version=7';

function readWord(text: string): Read {
  const [word = '', value] = splitOnce(text, '=');
  if (word === 'ready' || word === 'acked') {
    if (value !== undefined) return { problem: `"${text}": ${word} is compared with nothing` };
    return {
      condition: word === 'acked' ? { text, kind: word } : { text, kind: word, ready: true, level: 'usable' },
    };
  }
  if (word === 'stable') {
    const forMs = parseMillis(value ?? '');
    return forMs === undefined
      ? { problem: `"${text}": stable takes a time such as stable=500ms, stable=2s or stable=1m` }
      : { condition: { text, kind: 'stable', forMs } };
  }
  if (text.includes(',')) {
    return {
      problem: `"${text}" is no condition: names may have commas in them, so repeat --until for each condition`,
    };
  }
  return { problem: `"${text}" is no condition${didYouMean(word, WORDS)}: ${KINDS}` };
}

/** Names may contain dots and comparators, so the comparison is searched from the end. */
function readResource(text: string, typed: string, rest: string): Read {
  const type = TYPES.find((one) => one === typed.toUpperCase());
  if (type === undefined)
    return { problem: `"${text}": no type "${typed}"${didYouMean(typed, TYPES)}: ${TYPES.join(', ')}` };
  const property = /^(.+)\.(endpoints|version)(>=|<=|!=|==?|<|>)(.*)$/s.exec(rest);
  if (property !== null) {
    const [, name = '', what, comparator = '', value = ''] = property;
    const plain = (comparator === '==' ? '=' : comparator) as Comparator;
    return what === 'version'
      ? readVersion(text, type, name, plain, value)
      : readEndpoints(text, type, name, plain, value.trim());
  }
  return readStatus(text, type, rest);
}

function readVersion(text: string, type: Type, name: string, comparator: Comparator, version: string): Read {
  if (comparator !== '=' && comparator !== '!=') {
    return { problem: `"${text}": versions have no order: compare them with = or !=` };
  }
  const match = { kind: 'same', text: version } as const;
  return { condition: { text, kind: 'version', resource: { type, name }, match, isNot: comparator === '!=' } };
}

function readEndpoints(text: string, type: Type, name: string, comparator: Comparator, value: string): Read {
  if (type !== 'EDS') {
    return {
      problem: `"${text}": only EDS resources have endpoints: did you mean "EDS/${name}.endpoints${comparator}${value}"?`,
    };
  }
  if (!/^\d{1,9}$/.test(value)) return { problem: `"${text}": endpoints are counted in whole numbers, not "${value}"` };
  const count = { comparison: comparator, value: Number(value) };
  return { condition: { text, kind: 'endpoints', resource: { type, name }, health: 'healthy', count } };
}

function readStatus(text: string, type: Type, rest: string): Read {
  const compared = /^(.*?)(!=|==?)([A-Za-z_]*)$/s.exec(rest);
  const status = CACHE_STATUSES.find((one) => one === compared?.[3]?.toUpperCase());
  const name = compared?.[1] ?? '';
  if (status !== undefined) {
    if (name === '') return { problem: `"${text}": which ${type} resource? ${type}/name=${status}` };
    return { condition: { text, kind: 'status', resource: { type, name }, isNot: compared?.[2] === '!=', status } };
  }
  return { problem: `"${text}": ${statusProblem(type, rest, compared?.[3])}` };
}

/** Suggests the property or the status that the user most likely meant. */
function statusProblem(type: Type, rest: string, status: string | undefined): string {
  const [, name = '', word = '', comparison = ''] = /^(.*)\.([\w-]+)((?:>=|<=|!=|==?|<|>).*)$/s.exec(rest) ?? [];
  const property = nearest(word, PROPERTIES);
  if (property !== undefined) return `did you mean "${type}/${name}.${property}${comparison}"?`;
  const [, unnamed = '', ordered] = /^(.*)((?:>=|<=|<|>).*)$/s.exec(rest) ?? [];
  if (ordered !== undefined)
    return `what of it? ${type === 'EDS' ? '' : 'For example '}EDS/${unnamed}.endpoints${ordered}`;
  if (status !== undefined && status !== '') {
    return `no status "${status}"${didYouMean(status, CACHE_STATUSES)}: ${CACHE_STATUSES.join(', ')}`;
  }
  return `compared with what? For example ${type}/${rest.replace(/[!=]+$/, '')}=ACKED`;
}

function splitOnce(text: string, at: string): [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + at.length)];
}
