import { HealthStatus } from '../../proto/generated/envoy.config.core.v3.js';
import { Malformed } from '../../proto/wire/malformed.js';
import { Reader } from '../../proto/wire/reader.js';

/** Marks usable endpoints of a locality that gRPC skips. */
export const NO_WEIGHT = 'in localities without load_balancing_weight';

const HEALTH_NAMES = new Map<number, string>(
  Object.entries(HealthStatus).flatMap(([name, value]) => (typeof value === 'number' ? [[value, name]] : [])),
);

/** Tags of the fields that are read: number and wire type. */
const TAGS = {
  /** ClusterLoadAssignment.endpoints */
  locality: 0x12,
  /** LocalityLbEndpoints.lb_endpoints */
  endpoint: 0x12,
  /** LocalityLbEndpoints.load_balancing_weight, a UInt32Value */
  weight: 0x1a,
  /** UInt32Value.value */
  value: 0x08,
  /** LbEndpoint.health_status */
  health: 0x10,
};

/** Received bytes do not change, and a live view evaluates the same ones after each event. */
const counted = new WeakMap<Uint8Array, ReadonlyMap<string, number>>();

/** Counts the endpoints that the control plane sent, by health state, in order of appearance. */
export function healthStates(bytes: Uint8Array | undefined): ReadonlyMap<string, number> {
  if (bytes === undefined) return new Map();
  const known = counted.get(bytes);
  if (known !== undefined) return known;
  const states = countStates(new Reader(bytes));
  counted.set(bytes, states);
  return states;
}

/** Reads only health and weights: a verdict on 10,000 clusters without a usable endpoint counts all their endpoints. */
function countStates(reader: Reader): Map<string, number> {
  const states = new Map<string, number>();
  try {
    eachField(reader, reader.end, (tag) => {
      if (tag !== TAGS.locality) return reader.skip(tag);
      for (const [name, count] of localityStates(reader)) states.set(name, (states.get(name) ?? 0) + count);
    });
    return states;
  } catch (error) {
    if (error instanceof Malformed) return new Map();
    throw error;
  }
}

/** The weight of a locality may follow its endpoints. */
function localityStates(reader: Reader): Iterable<[name: string, count: number]> {
  const counts = new Map<number, number>();
  let weight = 0;
  eachField(reader, reader.delimited(), (tag) => {
    if (tag === TAGS.endpoint) {
      const health = enumIn(reader, TAGS.health);
      counts.set(health, (counts.get(health) ?? 0) + 1);
    } else if (tag === TAGS.weight) weight = uint32In(reader, weight);
    else reader.skip(tag);
  });
  return Array.from(counts, ([health, count]) => [nameOf(health, weight), count]);
}

function enumIn(reader: Reader, field: number): number {
  return uint32In(reader, 0, field) | 0;
}

/** The last value of a field of the next submessage. */
function uint32In(reader: Reader, before: number, field = TAGS.value): number {
  let value = before;
  eachField(reader, reader.delimited(), (tag) => {
    if (tag === field) value = reader.uint32();
    else reader.skip(tag);
  });
  return value;
}

function eachField(reader: Reader, stop: number, read: (tag: number) => void): void {
  const outer = reader.enter(stop);
  while (reader.pos < stop) read(reader.tag());
  reader.leave(outer);
}

function nameOf(health: number, weight: number): string {
  const name = HEALTH_NAMES.get(health) ?? `health ${health}`;
  const isUsable = health === HealthStatus.UNKNOWN || health === HealthStatus.HEALTHY;
  return weight === 0 && isUsable ? `${name} ${NO_WEIGHT}` : name;
}
