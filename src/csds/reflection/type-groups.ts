import type { Catalogue, CatalogueType } from '../../proto/json/catalogue.js';

/** A top-level type of a package, with its nested types. */
export interface TopLevelType {
  name: string;
  /** The type itself and its nested types, at any depth. */
  all: string[];
}

/** Groups types by their top-level type: `a.v3.Outer.Inner` belongs to `a.v3.Outer`. */
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

/** In the xDS API, package names are in lower case and type names begin with a capital letter. */
export function topLevelOf(name: string): string {
  return /^(?:[a-z]\w*\.)*\w+/.exec(name)?.[0] ?? name;
}

/** Returns the other top-level types to which a type refers. */
export function referencesOf({ name, all }: TopLevelType, catalogue: Catalogue): string[] {
  const named = (type: CatalogueType): string[] => (type.kind === 'scalar' ? [] : [topLevelOf(type.name)]);
  const fields = all.flatMap((one) => [...(catalogue.message(one)?.byNumber.values() ?? [])]);
  return [...new Set(fields.flatMap(({ type }) => named(type)))].filter((one) => one !== name);
}

/**
 * Returns the strongly connected components of types, each before the types that refer to it (Tarjan). Files must not
 * import each other in a cycle, so the types of a cycle share a file.
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
    const cycle = open.splice(open.indexOf(name));
    for (const one of cycle) isOpen.delete(one);
    found.push(cycle);
  };
  for (const name of names) if (!order.has(name)) visit(name);
  return found;
}
