import { xxh64 } from '../base/xxh64.js';
import type { RouteAction } from '../resources/route-action.js';
import { type Call, headerValue } from './match.js';
import { replaceAll } from './regex.js';

const MASK = 0xffff_ffff_ffff_ffffn;
const ENCODER = new TextEncoder();

/** R9.5, R9.6: the hash of a call; undefined if no policy applies, in which case gRPC uses a random hash. */
export function requestHash({ hashPolicies }: RouteAction, call: Call, channelId: bigint): bigint | undefined {
  let hash: bigint | undefined;
  for (const policy of hashPolicies) {
    const found = policy.kind === 'channel id' ? channelId : headerHash(policy, call);
    if (found !== undefined) {
      const before = hash ?? 0n;
      hash = (((before << 1n) | (before >> 63n)) & MASK) ^ found;
    }
    if (policy.terminal && hash !== undefined) break;
  }
  return hash;
}

type HeaderPolicy = Extract<RouteAction['hashPolicies'][number], { kind: 'header' }>;

function headerHash({ name, regex, substitution }: HeaderPolicy, call: Call): bigint | undefined {
  const value = headerValue(name, call);
  if (value === undefined) return undefined;
  const text = regex === undefined ? value : (replaceAll(regex, value, substitution) ?? value);
  return xxh64(ENCODER.encode(text));
}
