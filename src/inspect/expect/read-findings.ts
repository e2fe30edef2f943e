import { SEVERITIES } from '../../base/finding.js';
import { didYouMean } from '../../base/nearest.js';
import { describeValue, listOf, record, type Shape } from '../../base/shape.js';
import { PROTOCOL_FINDINGS } from '../../findings/protocol-catalogue.js';

const CODES = Object.keys(PROTOCOL_FINDINGS);

const allowedValue =
  (values: readonly string[], expected: string): Shape<string> =>
  (value, problems) => {
    if (typeof value === 'string' && values.includes(value)) return value;
    const hint = typeof value === 'string' ? didYouMean(value, values) : '';
    problems.add(`expected ${expected}, got ${describeValue(value)}${hint}`);
    return undefined;
  };

/** Forbidden findings, and exceptions. */
export const findings = record({
  forbid: listOf(allowedValue([...SEVERITIES, ...CODES], 'error, warning, note, or a code such as XI203')),
  allow: listOf(allowedValue(CODES, 'a code such as XI203')),
});
