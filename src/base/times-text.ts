import { formatMillis } from './duration.js';

/** Returns `4,731 times in 1.0 s, 4,700 a second`; empty for a count of 1. */
export function timesText(count: number, milliseconds: number, rate: number | undefined): string {
  if (count === 1) return '';
  const span = milliseconds === 0 ? '' : ` in ${formatMillis(milliseconds)}`;
  return `${withCommas(count)} times${span}${rate === undefined ? '' : `, ${withCommas(rate)} a second`}`;
}

function withCommas(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
