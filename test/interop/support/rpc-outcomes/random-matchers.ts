import type { Dice } from '../../../../tools/oracle/mutation/dice.js';

/** The call to all targets of a batch. Their routes, faults and permissions are built to match it sometimes. */
export interface RandomCall {
  method: string;
  metadata: [string, string][];
}

const NAMES = ['env', 'user', 'count', 'x-id'];
const VALUES = ['canary', 'prod', '5', '-7', 'Prod', 'a', ''];

export function randomCall(dice: Dice): RandomCall {
  const metadata: [string, string][] = [];
  for (const name of NAMES) if (dice.chance(0.6)) metadata.push([name, dice.pick(VALUES)]);
  if (metadata.length > 0 && dice.chance(0.3)) metadata.push([dice.pick(metadata)[0], dice.pick(VALUES)]);
  if (dice.chance(0.3)) metadata.push(['x-envoy-fault-abort-grpc-request', String(dice.below(18))]);
  if (dice.chance(0.2)) metadata.push(['x-envoy-fault-abort-percentage', dice.pick(['100', '0'])]);
  if (dice.chance(0.2)) metadata.push(['x-envoy-fault-delay-request', dice.pick(['20', '10000', 'x'])]);
  if (dice.chance(0.2)) metadata.push(['x-envoy-fault-delay-request-percentage', dice.pick(['100', '0', '-1'])]);
  return { method: `/shop.${dice.pick(['Cart', 'Order'])}/${dice.pick(['Get', 'List'])}`, metadata };
}

/** Matches the path of about every second call. */
export function randomPath(dice: Dice): object {
  const path = `/shop.${dice.pick(['Cart', 'Order'])}/${dice.pick(['Get', 'List'])}`;
  const insensitive = dice.chance(0.2) ? { case_sensitive: false } : {};
  return dice.weighted<object>([
    [3, { path, ...insensitive }],
    [2, { path: path.toLowerCase(), ...insensitive }],
    [3, { prefix: path.slice(0, 1 + dice.below(path.length)), ...insensitive }],
    [1, { prefix: dice.pick(['', '/', '/other']) }],
    [2, { safe_regex: { regex: dice.pick(['.*', '/shop[.](Cart|Order)/Get', '/shop\\.Cart/.+', 'Cart']) } }],
  ]);
}

export function randomHeaderMatcher(dice: Dice): object {
  const value = dice.pick(VALUES);
  const part = value === '' ? 'p' : value;
  const match = dice.weighted<object>([
    [3, { exact_match: part }],
    [2, { present_match: dice.chance(0.7) }],
    [1, { prefix_match: part.slice(0, 2) }],
    [1, { suffix_match: part.slice(-2) }],
    [1, { contains_match: part.slice(0, 1) }],
    [1, { range_match: { start: dice.pick(['0', '-10']), end: dice.pick(['5', '6']) } }],
    [2, { string_match: { exact: part, ignore_case: dice.chance(0.5) } }],
    [1, { string_match: { safe_regex: { regex: dice.pick(['[a-z]+', '.*', 'prod|canary']) } } }],
  ]);
  return { name: dice.pick(NAMES), ...match, ...(dice.chance(0.2) ? { invert_match: true } : {}) };
}
