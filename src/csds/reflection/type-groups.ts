import type { Catalogue, CatalogueType } from '../../proto/json/catalogue.js';

/** A type that stands in a package, with what is nested in it. */
export interface TopLevelType {
  name: string;
  /** Itself and all that is nested in it, at any depth. */
  all: string[];
}

/** Every type by the one at the top level that it stands in: `a.v3.Outer.Inner` stands in `a.v3.Outer`. */
export function topLevelTypes(names: readonly string[]): Map<string, TopLevelType> {
  const types = new Map<string, TopLevelType>();
  for (const name of names) {
    const top = topLevelOf(name);
    const type = types.get(top) ?? { name: top, all: [] };
    type.all.push(name);
    types.set(top, type);
  }
  return types;
}

/** In this API packages are in small letters, and types begin with a capital one. */
export function topLevelOf(name: string): string {
  return /^(?:[a-z]\w*\.)*\w+/.exec(name)?.[0] ?? name;
}

/** The types at the top level that others refer to. */
export function referencesOf({ name, all }: TopLevelType, catalogue: Catalogue): string[] {
  const named = (type: CatalogueType): string[] => (type.kind === 'scalar' ? [] : [topLevelOf(type.name)]);
  const fields = all.flatMap((one) => [...(catalogue.message(one)?.byNumber.values() ?? [])]);
  return [...new Set(fields.flatMap(({ type }) => named(type)))].filter((one) => one !== name);
}

/**
 * Types that refer to each other in circles, each once, and before whoever refers to them (Tarjan). Files may not import
 * each other in circles, so that these have to share one.
 */
export function cycles(names: Iterable<string>, next: (name: string) => readonly string[]): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const visit = (name: string): void => {
    order.set(name, order.size);
    low.set(name, order.get(name) as number);
    open.push(name);
    isOpen.add(name);
    for (const other of next(name)) {
      if (!order.has(other)) visit(other);
      if (isOpen.has(other)) low.set(name, Math.min(low.get(name) as number, low.get(other) as number));
    }
    if (low.get(name) !== order.get(name)) return;
    const circle = open.splice(open.indexOf(name));
    for (const one of circle) isOpen.delete(one);
    found.push(circle);
  };
  for (const name of names) if (!order.has(name)) visit(name);
  return found;
}
