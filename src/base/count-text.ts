/** `1 route`, `10,000 routes`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${thousands(count)} ${count === 1 ? one : many}`;
}

/** `a, b, c and 2 more` */
export function firstFew<T>(
  list: readonly T[],
  most: number,
  textOf: (one: T) => string,
  moreText = (more: number): string => ` and ${more} more`,
): string {
  const shown = list.slice(0, most).map(textOf).join(', ');
  return list.length > most ? `${shown}${moreText(list.length - most)}` : shown;
}

/** `10,000` */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
