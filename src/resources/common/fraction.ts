import { type FractionalPercent, FractionalPercentDenominatorType } from '../../proto/generated/envoy.type.v3.js';

const FACTORS: Record<number, number | undefined> = {
  [FractionalPercentDenominatorType.HUNDRED]: 10_000,
  [FractionalPercentDenominatorType.TEN_THOUSAND]: 100,
  [FractionalPercentDenominatorType.MILLION]: 1,
};

export function isKnownDenominator(denominator: number): boolean {
  return FACTORS[denominator] !== undefined;
}

/**
 * Converts a percentage to millionths, without an upper limit. An unknown denominator counts as 100. C-core multiplies
 * in 32 bits, so the product can overflow.
 */
export function perMillion({ numerator, denominator }: FractionalPercent): number {
  return Math.imul(numerator, FACTORS[denominator] ?? 10_000) >>> 0;
}

/** A numerator and a denominator. */
export interface Fraction {
  numerator: number;
  denominator: number;
}

export function fraction({ numerator, denominator }: FractionalPercent): Fraction {
  return { numerator, denominator: 1_000_000 / (FACTORS[denominator] ?? 10_000) };
}
