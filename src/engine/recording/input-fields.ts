import type { Input } from '../../core/input.js';

type Check = (value: unknown) => boolean;

export const isNaturalNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isId: Check = (value) => Number.isSafeInteger(value);
const isText: Check = (value) => typeof value === 'string';
const isOptionalText: Check = (value) => value === undefined || typeof value === 'string';
const isState: Check = (value) =>
  ['idle', 'connecting', 'ready', 'transient-failure', 'lame'].includes(value as string);
const isStatus: Check = (value) => has(value, 'code', isNaturalNumber) && has(value, 'message', isText);
const isResolution: Check = (value) =>
  has(value, 'failure', isText) || has(value, 'addresses', (list) => Array.isArray(list) && list.every(isText));

function has(value: unknown, name: string, check: Check): boolean {
  return typeof value === 'object' && value !== null && check((value as Record<string, unknown>)[name]);
}

/** The required fields of each input. Messages are decoded separately. */
const INPUT_FIELDS: Record<Exclude<Input['kind'], 'message'>, Record<string, Check>> = {
  watch: { scope: isText, watcher: isId, typeUrl: isText, name: isText },
  unwatch: { scope: isText, watcher: isId },
  done: { scope: isText, reading: isNaturalNumber },
  follow: { scope: isText, target: isText, listener: isText, authority: isOptionalText },
  unfollow: { scope: isText, target: isText },
  hold: { scope: isText, target: isText, cluster: isText },
  release: { scope: isText, target: isText, cluster: isText },
  connectivity: { channel: isNaturalNumber, state: isState, reason: isText },
  sent: { stream: isNaturalNumber },
  ended: { stream: isNaturalNumber, status: isStatus },
  resolved: { query: isNaturalNumber, result: isResolution },
  tick: {},
};

/** Reads an input from the fields of a line. Returns a problem as text. */
export function readInput(fields: Record<string, unknown>): Input | string {
  const { kind } = fields;
  if (typeof kind !== 'string' || !Object.hasOwn(INPUT_FIELDS, kind))
    return `"kind" is ${JSON.stringify(kind)}, which is unknown`;
  const checks = INPUT_FIELDS[kind as keyof typeof INPUT_FIELDS];
  const invalid = Object.entries(checks).find(([name, isValid]) => !isValid(fields[name]));
  if (invalid !== undefined) return `"${invalid[0]}" is missing or invalid`;
  const known = Object.keys(checks).map((name) => [name, fields[name]]);
  return { kind, ...Object.fromEntries(known) } as Input;
}
