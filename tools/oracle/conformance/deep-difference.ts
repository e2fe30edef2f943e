/** The differences between two values, one line each, with the path first. */
export function deepDifference(expected: unknown, actual: unknown, path = ''): string[] {
  if (JSON.stringify(expected) === JSON.stringify(actual)) return [];
  if (!isContainer(expected) || !isContainer(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return [`${path || '(all)'}: recorded ${shown(expected)}, here ${shown(actual)}`];
  }
  if (Array.isArray(expected) && Array.isArray(actual)) return listDifference(expected, actual, path);
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) => {
    const [left, right] = [(expected as Fields)[key], (actual as Fields)[key]];
    return deepDifference(left, right, path === '' ? key : `${path}.${key}`);
  });
}

type Fields = Record<string, unknown>;

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Compares lists of named elements by name, others by index. */
function listDifference(expected: unknown[], actual: unknown[], path: string): string[] {
  const keyed = [...expected, ...actual].every((one) => keyOf(one) !== undefined);
  if (!keyed) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_none, i) => deepDifference(expected[i], actual[i], `${path}[${i}]`)).flat();
  }
  const [left, right] = [byKey(expected), byKey(actual)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    deepDifference(left.get(key), right.get(key), `${path}[${key}]`),
  );
}

function byKey(list: unknown[]): Map<string, unknown> {
  return new Map(list.map((one) => [keyOf(one) as string, one]));
}

function keyOf(value: unknown): string | undefined {
  if (!isContainer(value)) return undefined;
  const { name, type, client_scope: scope } = value as Fields;
  if (typeof scope === 'string') return scope;
  return typeof name === 'string' ? `${typeof type === 'string' ? `${type} ` : ''}${name}` : undefined;
}

const MAX_SHOWN = 300;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
