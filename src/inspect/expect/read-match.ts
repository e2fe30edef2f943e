import type { Problems } from '../../base/problem.js';
import { flag, isMapping, type Shape, text } from '../../base/shape.js';
import type { Json } from '../../proto/json/well-known.js';
import { re2Error } from '../../resources/regex/re2-syntax.js';
import { partialMatch } from '../../routing/regex.js';
import { countRule } from './count-rule.js';
import type { Match } from './expectations.js';

const OPERATORS = ['equals', 'matches', 'contains', 'count', 'exists'] as const;

/** Reads a value to compare with, or a mapping with one operator. */
export const match: Shape<Match> = (value, problems) => {
  if (value === null || value === undefined) {
    problems.add(`expected a value, or one of ${OPERATORS.join(', ')}`);
    return undefined;
  }
  if (!isMapping(value)) return { kind: 'equals', value: json(value) };
  const [key, ...more] = Object.keys(value);
  const operator = OPERATORS.find((one) => one === key);
  if (operator === undefined || more.length > 0) {
    problems.add(
      `expected a value, or a mapping with one of ${OPERATORS.join(', ')}; write {equals: …} to compare a mapping`,
    );
    return undefined;
  }
  return problems.at(operator, () => readOperator(operator, value[operator], problems));
};

/** Like `match`, for a text. */
export const textMatch: Shape<Match> = (value, problems) => {
  if (isMapping(value) && ('matches' in value || 'contains' in value)) return match(value, problems);
  if (typeof value === 'string') return { kind: 'equals', value };
  problems.add('expected text, or a mapping with matches or contains; put a number in quotes');
  return undefined;
};

function readOperator(operator: (typeof OPERATORS)[number], value: unknown, problems: Problems): Match | undefined {
  switch (operator) {
    case 'equals':
    case 'contains':
      return { kind: operator, value: json(value) };
    case 'matches': {
      const pattern = regularExpression(value, problems);
      return pattern === undefined ? undefined : { kind: 'matches', pattern };
    }
    case 'count': {
      const count = countRule(value, problems);
      return count && { kind: 'count', count };
    }
    case 'exists': {
      const exists = flag(value, problems);
      return exists === undefined ? undefined : { kind: 'exists', exists };
    }
  }
}

const regularExpression: Shape<string> = (value, problems) => {
  const pattern = text(value, problems);
  if (pattern === undefined || partialMatch(pattern, '') !== undefined) return pattern;
  problems.add(re2Error(pattern) ?? `${JSON.stringify(pattern)} is not a supported regular expression (RE2)`);
  return undefined;
};

/** Converts integers beyond the range of a double to strings, as in proto JSON. */
function json(value: unknown): Json {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(json);
  if (!isMapping(value)) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, json(inner)]));
}
