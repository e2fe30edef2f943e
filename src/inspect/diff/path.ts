/** A step from a message to one of its fields; the name is spelled as in the JSON. */
interface FieldStep {
  field: string;
}

/** A step to the entry of a map, or of free-form data such as a Struct. */
interface KeyStep {
  key: string;
}

/** A step to an element of a list, with its index in each list that contains it. */
export interface ElementStep {
  before: number | undefined;
  after: number | undefined;
  /** What identifies the element, such as the name of a virtual host; without a label, the index does. */
  label?: string;
}

export type Step = FieldStep | KeyStep | ElementStep;

/** Longer names are cut in the middle: a hostile name of megabytes would be repeated in every path. */
const MAX_NAME = 200;

const IDENTIFIER = /^@?[A-Za-z_][A-Za-z0-9_]*$/;
/** A name that would be read as an index, or in which the end of the brackets is unclear. */
const UNCLEAR_IN_BRACKETS = /^\d*$|["[\]]|^\s|\s$/;

/** Names of which lowerCamelCase loses an underscore before a digit. */
const NAMES_WITH_DIGITS = new Map([
  ['consecutive5xx', 'consecutive_5xx'],
  ['enforcingConsecutive5xx', 'enforcing_consecutive_5xx'],
  ['acceptHttp10', 'accept_http_10'],
  ['defaultHostForHttp10', 'default_host_for_http_10'],
  ['ignoreHttp11Upgrade', 'ignore_http_11_upgrade'],
  ['traceId128bit', 'trace_id_128bit'],
  ['proxy100Continue', 'proxy_100_continue'],
  ['normalizePathRfc3986', 'normalize_path_rfc_3986'],
]);

/** The steps as text: `virtual_hosts[orders].routes[2].route.cluster`. Empty for the resource itself. */
export function pathText(steps: readonly Step[]): string {
  const text = steps.map(stepText).join('');
  return text.startsWith('.') ? text.slice(1) : text;
}

/** The value that the steps lead to on one side; `undefined` if there is none. */
export function valueAt(value: unknown, steps: readonly Step[], side: 'before' | 'after'): unknown {
  let at = value;
  for (const step of steps) {
    const key = keyOn(step, side);
    if (typeof at !== 'object' || at === null || key === undefined || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

/** The key or the index that a step has on one side; `undefined` if the side lacks the element. */
export function keyOn(step: Step, side: 'before' | 'after'): string | number | undefined {
  if ('field' in step) return step.field;
  return 'key' in step ? step.key : step[side];
}

/** The name of a field as .proto files, Envoy's configuration and C-core's messages spell it. */
export function protoName(jsonName: string): string {
  return NAMES_WITH_DIGITS.get(jsonName) ?? jsonName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function stepText(step: Step): string {
  if ('key' in step) return `[${inBrackets(step.key)}]`;
  if ('field' in step)
    return IDENTIFIER.test(step.field)
      ? `.${shortened(protoName(step.field))}`
      : `[${JSON.stringify(shortened(step.field))}]`;
  return `[${step.label === undefined ? (step.after ?? step.before) : inBrackets(step.label)}]`;
}

function inBrackets(name: string): string {
  const short = shortened(name);
  return UNCLEAR_IN_BRACKETS.test(short) ? JSON.stringify(short) : short;
}

function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME / 2)}…${name.slice(-MAX_NAME / 2)}`;
}
