import { nearest } from '../../base/nearest.js';

/** A shorter name says too little to be recognized within another. */
const MIN_PART = 3;

/** The name that a user most likely meant: one that contains theirs or is part of it, or a slip, or another port. */
export function likelyName(typed: string, names: readonly string[]): string | undefined {
  const wanted = stem(typed).toLowerCase();
  const containing = names.filter((one) => stem(one).toLowerCase().includes(wanted));
  if (containing.length > 0) return containing.reduce((a, b) => (b.length < a.length ? b : a));
  const parts = names.filter((one) => stem(one).length >= MIN_PART && wanted.includes(stem(one).toLowerCase()));
  if (parts.length > 0) return parts.reduce((a, b) => (b.length > a.length ? b : a));
  const near = nearest(wanted, names.map(stem));
  return near === undefined ? undefined : names.find((one) => stem(one) === near);
}

/** The part of a name in which two listeners differ: not the prefix that xdstp names share, nor the port. */
function stem(name: string): string {
  return name.replace(/^xdstp:(\/\/[^/]*)?\/[^/]*\//, '').replace(/:\d+$/, '');
}
