import type { JsonNode } from '../../base/json/node.js';
import type { PathStep } from '../../base/problem.js';

export type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

/** An object of the bootstrap with the path that leads to it. */
export interface Located {
  node: ObjectNode;
  steps: readonly PathStep[];
}

/** Returns a field whose value is an object. */
export function objectIn(object: ObjectNode | undefined, key: string): ObjectNode | undefined {
  const node = object?.fields.get(key)?.node;
  return node?.kind === 'object' ? node : undefined;
}

export function stringIn(object: ObjectNode | undefined, key: string): string | undefined {
  const node = object?.fields.get(key)?.node;
  return node?.kind === 'string' ? node.value : undefined;
}

function elementsIn(object: ObjectNode | undefined, key: string): readonly JsonNode[] {
  const node = object?.fields.get(key)?.node;
  return node?.kind === 'array' ? node.elements : [];
}

/** Returns every server entry, at the top level and in authorities. */
export function servers(root: JsonNode): Located[] {
  const lists = [{ node: root, steps: [] as PathStep[] }, ...entries(root, 'authorities')];
  return lists.flatMap(({ node, steps }) =>
    objectsIn(node, 'xds_servers').map((one) => ({ ...one, steps: [...steps, ...one.steps] })),
  );
}

/** Returns the objects in a list, with paths relative to the object that contains the list. */
export function objectsIn(object: JsonNode, key: string): Located[] {
  if (object.kind !== 'object') return [];
  return elementsIn(object, key).flatMap((node, i) => (node.kind === 'object' ? [{ node, steps: [key, i] }] : []));
}

/** Returns the entries of a top-level map that are objects. */
export function entries(root: JsonNode, key: string): Located[] {
  const map = root.kind === 'object' ? objectIn(root, key) : undefined;
  return [...(map?.fields ?? [])].flatMap(([name, { node }]) =>
    node.kind === 'object' ? [{ node, steps: [key, name] }] : [],
  );
}

export function strings(object: ObjectNode, key: string): { value: string; steps: PathStep[] }[] {
  return elementsIn(object, key).flatMap((node, i) =>
    node.kind === 'string' ? [{ value: node.value, steps: [key, i] }] : [],
  );
}
