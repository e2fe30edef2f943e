import { type FractionalPercent, FractionalPercentDenominatorType } from '../../proto/generated/envoy.type.v3.js';

const FACTORS: Record<number, number | undefined> = {
  [FractionalPercentDenominatorType.HUNDRED]: 10_000,
  [FractionalPercentDenominatorType.TEN_THOUSAND]: 100,
  [FractionalPercentDenominatorType.MILLION]: 1,
};

export function isKnownDenominator(denominator: number): boolean {
  return FACTORS[denominator] !== undefined;
}

/** In millionths, not limited. An unknown denominator counts as a hundred. C-core multiplies in 32 bits, which wraps. */
export function perMillion({ numerator, denominator }: FractionalPercent): number {
  return Math.imul(numerator, FACTORS[denominator] ?? 10_000) >>> 0;
}

/** How many of how many. */
export interface Fraction {
  numerator: number;
  denominator: number;
}

export function fraction({ numerator, denominator }: FractionalPercent): Fraction {
  return { numerator, denominator: 1_000_000 / (FACTORS[denominator] ?? 10_000) };
}
