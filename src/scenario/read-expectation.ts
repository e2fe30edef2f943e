import type { Millis } from '../base/duration.js';
import type { Problems } from '../base/problem.js';
import { duration, flag, oneOf } from '../base/shape.js';
import { type PatternText, patternFields, patternFrom } from './read-pattern.js';
import { resourceType } from './read-type.js';
import type { Expectation } from './scenario.js';

/** Default time limit of an expectation. */
const DEFAULT_WITHIN = 5000;

export interface ExpectText extends PatternText {
  request?: string;
  stream?: 'opened' | 'ended';
  absent?: boolean;
  within?: Millis;
}

export const expectFields = {
  ...patternFields,
  request: resourceType,
  stream: oneOf(['opened', 'ended']),
  absent: flag,
  within: duration,
};

export function expectationFrom(expect: ExpectText, problems: Problems): Expectation | undefined {
  const { request, stream, absent = false, within = DEFAULT_WITHIN, ...pattern } = expect;
  if ('request' in expect === 'stream' in expect)
    return problems.add('expected either "request" with a type, or "stream"');
  if (request !== undefined) return { kind: 'request', pattern: patternFrom(request, pattern, 'any'), absent, within };
  if (stream === undefined) return undefined;
  for (const key of Object.keys(pattern)) problems.addAt([key], 'requires "request", not "stream"');
  return { kind: stream === 'opened' ? 'stream' : 'end', absent, within };
}
