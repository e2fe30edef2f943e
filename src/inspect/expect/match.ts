import { parseMillis } from '../../base/duration.js';
import { isMapping } from '../../base/shape.js';
import { type Json, parseDuration } from '../../proto/json/well-known.js';
import { lowerCamel } from '../../proto/lower-camel.js';
import { partialMatch } from '../../routing/regex.js';
import { countText, fitsCount } from './count-rule.js';
import type { Match } from './expectations.js';

const MAX_LENGTH = 300;

/** Whether a value matches; undefined stands for a missing value. */
export function fits(match: Match, value: Json | undefined): boolean {
  if (match.kind === 'exists') return (value !== undefined) === match.exists;
  if (value === undefined) return false;
  switch (match.kind) {
    case 'equals':
      return sameValue(match.value, value);
    case 'same':
      return value === match.text;
    case 'matches':
      return isScalar(value) && partialMatch(match.pattern, String(value)) === true;
    case 'contains':
      return Array.isArray(value)
        ? value.some((one) => sameValue(match.value, one))
        : typeof value === 'string' && value.includes(String(match.value));
    case 'count':
      return countOf(value) !== undefined && fitsCount(match.count, countOf(value) as number);
  }
}

export function matchText(match: Match): string {
  switch (match.kind) {
    case 'equals':
      return valueText(match.value);
    case 'same':
      return match.text;
    case 'matches':
      return `matches ${match.pattern}`;
    case 'contains':
      return `contains ${valueText(match.value)}`;
    case 'count':
      return `${countText(match.count)} elements`;
    case 'exists':
      return match.exists ? 'exists' : 'does not exist';
  }
}

/** The actual value, in the form of the expected one. */
export function foundText(match: Match, value: Json): string {
  const count = match.kind === 'count' ? countOf(value) : undefined;
  return count === undefined ? valueText(value) : `${count} elements`;
}

function valueText(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

function countOf(value: Json): number | undefined {
  if (Array.isArray(value)) return value.length;
  return isMapping(value) ? Object.keys(value).length : undefined;
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Compares leniently: 5 equals "5", as proto JSON prints 64-bit integers; 1.5s equals 1500ms; lb_policy equals lbPolicy. */
function sameValue(wanted: Json, value: Json): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      wanted.length === value.length &&
      wanted.every((one, i) => sameValue(one, value[i] as Json))
    );
  }
  if (isMapping(wanted)) return isMapping(value) && sameMapping(wanted as { [key: string]: Json }, value);
  if (wanted === value) return true;
  if (typeof wanted === 'boolean' || typeof value === 'boolean' || wanted === null || value === null) return false;
  if (typeof wanted === 'number' || typeof value === 'number') return String(wanted) === String(value);
  return typeof value === 'string' && sameDuration(String(wanted), value);
}

function sameMapping(wanted: { [key: string]: Json }, value: { [key: string]: Json }): boolean {
  const keys = Object.keys(wanted);
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => {
      const inner = Object.hasOwn(value, key) ? value[key] : value[lowerCamel(key)];
      return inner !== undefined && sameValue(wanted[key] as Json, inner);
    })
  );
}

function sameDuration(wanted: string, value: string): boolean {
  const found = parseDuration(value);
  const ms = parseMillis(wanted);
  return found !== undefined && ms !== undefined && Number(found.seconds) * 1000 + found.nanos / 1_000_000 === ms;
}
