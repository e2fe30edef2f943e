import type { Corpus, SeedResource } from './corpus.js';
import { treeOf } from './corpus.js';
import type { Dice } from './dice.js';
import { brokenBytes, mutate } from './mutate.js';
import { serialize, type Tree } from './wire-tree.js';

/** A generated response, in the format of the recordings. */
export interface NewResponse {
  type: string;
  response: { type_url: string; bytes: string }[];
  resource_errors?: string[];
}

const WRAPPER = 'type.googleapis.com/envoy.service.discovery.v3.Resource';
/** Larger responses would test limits of size. */
const MAX_BYTES = 100_000;

/** Generates endless responses, the same for the same dice. */
export function* newResponses(corpus: Corpus, dice: Dice): Generator<NewResponse> {
  for (;;) {
    const made = newResponse(corpus, dice);
    if (made.response.every(({ bytes }) => bytes.length < MAX_BYTES)) yield made;
  }
}

function newResponse(corpus: Corpus, dice: Dice): NewResponse {
  const { type } = pickSeed(corpus, dice);
  const count = dice.weighted([
    [84, 1],
    [9, 2],
    [4, 3],
    [2, 5],
    [1, 0],
  ] as const);
  const response = Array.from({ length: count }, () => newResource(type, corpus, dice));
  if (count > 1 && dice.chance(0.2)) response[0] = response.at(-1) as NewResponse['response'][number];
  const errors = dice.chance(0.06) ? someErrors(corpus, dice) : [];
  return { type, response, ...(errors.length > 0 && { resource_errors: errors }) };
}

function pickSeed(corpus: Corpus, dice: Dice): SeedResource {
  return dice.pick(dice.chance(0.8) ? corpus.valid : corpus.all);
}

function newResource(type: string, corpus: Corpus, dice: Dice): NewResponse['response'][number] {
  let seed = pickSeed(corpus, dice);
  // Sometimes a resource has another type than the response.
  const isStray = dice.chance(0.01);
  while (!isStray && seed.type !== type) seed = pickSeed(corpus, dice);
  const tree = treeOf(seed) as Tree;
  const changes = dice.chance(0.1) ? 5 + dice.below(12) : dice.pick([0, 1, 1, 1, 1, 2, 2, 3, 4]);
  for (let i = 0; i < changes; i++) mutate(tree, corpus, dice);
  const whole = serialize(tree);
  const bytes = dice.chance(0.03) ? brokenBytes(whole, dice) : whole;
  const any = { type_url: seed.typeUrl, bytes: bytes.toString('base64') };
  return dice.chance(0.05) ? wrapped(any, dice) : any;
}

/** Wraps a resource in a Resource message with or without a name; sometimes twice, sometimes empty. */
function wrapped(any: NewResponse['response'][number], dice: Dice): NewResponse['response'][number] {
  const inner: Tree = {
    shape: { message: 'google.protobuf.Any' },
    nodes: [
      { field: 1, wire: 2, value: Buffer.from(any.type_url) },
      { field: 2, wire: 2, value: Buffer.from(any.bytes, 'base64') },
    ],
  };
  const name = dice.pick(['', 'foo', 'w', 'xdstp://a/b/c', 'xdstp://a/envoy.config.cluster.v3.Cluster/w']);
  const wrapper: Tree = { shape: { message: 'envoy.service.discovery.v3.Resource' }, nodes: [] };
  if (name !== '') wrapper.nodes.push({ field: 3, wire: 2, value: Buffer.from(name) });
  if (dice.chance(0.92)) wrapper.nodes.push({ field: 2, wire: 2, value: inner });
  const outer = { type_url: WRAPPER, bytes: serialize(wrapper).toString('base64') };
  return dice.chance(0.1) ? wrapped(outer, dice) : outer;
}

function someErrors(corpus: Corpus, dice: Dice): string[] {
  return Array.from({ length: 1 + dice.below(2) }, () => dice.pick(corpus.resourceErrors).toString('base64'));
}
