import { nearest } from '../../base/nearest.js';

/** Shorter names are contained in other names by chance. */
const MIN_PART = 3;

/** Guesses the name that a user meant: it contains the typed name or is part of it, or differs by a typo or the port. */
export function likelyName(typed: string, names: readonly string[]): string | undefined {
  const wanted = stem(typed).toLowerCase();
  const containing = names.filter((one) => stem(one).toLowerCase().includes(wanted));
  if (containing.length > 0) return containing.reduce((a, b) => (b.length < a.length ? b : a));
  const parts = names.filter((one) => stem(one).length >= MIN_PART && wanted.includes(stem(one).toLowerCase()));
  if (parts.length > 0) return parts.reduce((a, b) => (b.length > a.length ? b : a));
  const near = nearest(wanted, names.map(stem));
  return near === undefined ? undefined : names.find((one) => stem(one) === near);
}

/** The part of a name in which two listeners differ: without the prefix that xdstp names share, and without the port. */
function stem(name: string): string {
  return name.replace(/^xdstp:(\/\/[^/]*)?\/[^/]*\//, '').replace(/:\d+$/, '');
}
