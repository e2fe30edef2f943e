import type { CatalogueField, CatalogueMessage } from '../../src/proto/json/catalogue.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import type { Scalar } from '../../src/proto/wire/scalars.js';

type Random = (most: number) => number;

const WORDS = [
  'authorization',
  'x-env',
  'token',
  'password',
  'Bearer abc',
  'https://user:pw@host/a?sig=x&b=1',
  'b',
  '',
];
/** Messages that an Any contains. */
const IN_ANY = [
  'envoy.extensions.transport_sockets.tls.v3.Secret',
  'envoy.config.core.v3.GrpcService',
  'envoy.extensions.filters.http.basic_auth.v3.BasicAuth',
  'envoy.config.route.v3.HeaderMatcher',
  'google.protobuf.Struct',
  'google.protobuf.Duration',
];
const INTEGERS: ReadonlySet<Scalar> = new Set(['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64']);
const MAX_DEPTH = 6;

/** A number generator that depends only on the seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
}

/** A message of any type of the API in proto JSON. */
export function randomMessage(name: string, random: Random, depth = 0): unknown {
  const type = xdsCatalogue.message(name) as CatalogueMessage;
  const anyText = (): string => WORDS[random(WORDS.length)] as string;
  switch (name) {
    case 'google.protobuf.Duration':
      return '1.500s';
    case 'google.protobuf.Timestamp':
      return '2026-01-31T12:00:00Z';
    case 'google.protobuf.FieldMask':
      return 'a.b';
    case 'google.protobuf.Value':
      return [null, 1, true, anyText(), [anyText()], { [anyText()]: anyText(), list: [{ token: anyText() }] }][
        random(6)
      ];
    case 'google.protobuf.ListValue':
      return [anyText(), { [anyText()]: 'x' }];
    case 'google.protobuf.Struct':
      return { [anyText()]: anyText(), inner: { [anyText()]: [anyText()] } };
    case 'google.protobuf.Any': {
      const inner = IN_ANY[random(IN_ANY.length)] as string;
      const json = randomMessage(inner, random, depth + 1);
      const isCustom = inner.startsWith('google.protobuf.');
      return { '@type': `type.googleapis.com/${inner}`, ...(isCustom ? { value: json } : (json as object)) };
    }
  }
  const [first] = type.byNumber.values();
  if (/^google\.protobuf\.\w+Value$/.test(name)) return leaf(first as CatalogueField, random);
  const entries: [string, unknown][] = [];
  const taken = new Set<number>();
  for (const field of type.byNumber.values()) {
    if (random(3) === 0 || (field.oneof !== undefined && taken.has(field.oneof))) continue;
    if (depth >= MAX_DEPTH && field.type.kind === 'message') continue;
    if (field.oneof !== undefined) taken.add(field.oneof);
    entries.push([field.jsonName, fieldValue(field, random, depth)]);
  }
  if (random(8) === 0) entries.push(['@unknown', [{ field: 4242, bytes: 'S0VZ' }]]);
  return Object.fromEntries(entries);
}

function fieldValue(field: CatalogueField, random: Random, depth: number): unknown {
  const one = (): unknown =>
    field.type.kind === 'message' ? randomMessage(field.type.name, random, depth + 1) : leaf(field, random);
  if (field.mapKey !== undefined) {
    const key = field.mapKey === 'string' ? (WORDS[random(WORDS.length)] as string) : '1';
    return { [field.mapKey === 'bool' ? 'true' : key]: one() };
  }
  return field.repeated ? Array.from({ length: random(3) }, one) : one();
}

function leaf({ type }: CatalogueField, random: Random): unknown {
  if (type.kind !== 'scalar') return 0;
  if (type.scalar === 'string') return WORDS[random(WORDS.length)];
  if (type.scalar === 'bytes') return 'S0VZ';
  if (type.scalar === 'bool') return random(2) === 0;
  return INTEGERS.has(type.scalar) ? String(random(5)) : random(5);
}
