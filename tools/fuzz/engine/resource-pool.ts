import { Problems } from '../../../src/base/problem.js';
import { Resource } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { Any } from '../../../src/proto/generated/google.protobuf.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { encode } from '../../../src/proto/message-type.js';
import { RESOURCE_TYPES, type ShortType } from '../../../src/proto/resource-types.js';
import { type Corpus, readCorpus } from '../../oracle/mutation/corpus.js';
import { Dice } from '../../oracle/mutation/dice.js';
import { brokenBytes, mutate } from '../../oracle/mutation/mutate.js';
import { parseTree, serialize } from '../../oracle/mutation/wire-tree.js';
import { generateResource } from './resource-json.js';

/** A variant is a number: below `good` a valid resource, then odd ones, then mutated ones. */
export const VARIANTS = { good: 12, odd: 6, mutated: 3000 } as const;

const PREFIX = 'type.googleapis.com/';
const WRAPPER = `${PREFIX}${Resource.typeName}`;
/** How many resources are kept; the oldest are generated again when needed. */
const MAX_KEPT = 50_000;

/** The resources of all cases: each is determined by type, name and variant, so cases stay reproducible. */
export class ResourcePool {
  readonly #corpus: Corpus;
  readonly #kept = new Map<string, Any>();

  constructor(corpus: Corpus = readCorpus()) {
    this.#corpus = corpus;
  }

  resource(type: ShortType, name: string, variant: number): Any {
    const key = `${variant} ${type} ${name}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = this.#make(type, name, variant);
    this.#kept.set(key, made);
    if (this.#kept.size > MAX_KEPT) for (const [oldest] of this.#kept) return this.#drop(oldest, made);
    return made;
  }

  #drop(oldest: string, made: Any): Any {
    this.#kept.delete(oldest);
    return made;
  }

  #make(type: ShortType, name: string, variant: number): Any {
    const dice = new Dice(hash(`${type} ${name} ${variant}`));
    if (variant < VARIANTS.good) return good(type, name, dice);
    const odd = variant - VARIANTS.good;
    if (odd < VARIANTS.odd) return this.#odd(type, name, odd, dice);
    return this.#mutated(good(type, name, dice), dice);
  }

  /** Resources that a control plane wraps, leaves empty, or sends with another type or name. */
  #odd(type: ShortType, name: string, kind: number, dice: Dice): Any {
    const resource = good(type, name, dice);
    if (kind === 0) return wrapped(name, resource);
    if (kind === 1) return wrapped(name, Any.create({ ...resource, value: Uint8Array.of(0) }));
    if (kind === 2) return Any.create();
    if (kind === 3) return Any.create({ ...resource, typeUrl: RESOURCE_TYPES[type === 'CDS' ? 'EDS' : 'CDS'] });
    if (kind === 4) return wrapped(name, undefined);
    return Any.create({ ...resource, value: brokenBytes(Buffer.from(resource.value), dice) });
  }

  #mutated({ typeUrl, value }: Any, dice: Dice): Any {
    const tree = parseTree(Buffer.from(value), { message: typeUrl.slice(PREFIX.length) });
    if (tree === undefined) return Any.create({ typeUrl, value });
    for (let changes = 1 + dice.below(3); changes > 0; changes--) mutate(tree, this.#corpus, dice);
    return Any.create({ typeUrl, value: serialize(tree) });
  }
}

function good(type: ShortType, name: string, dice: Dice): Any {
  const problems = new Problems();
  const json = { '@type': RESOURCE_TYPES[type], ...generateResource(type, name, dice) };
  const any = parseAny(xdsCatalogue, json, problems);
  if (any === undefined) throw new Error(`a generated resource is invalid: ${JSON.stringify(problems.list)}`);
  return Any.create(any);
}

function wrapped(name: string, resource: Any | undefined): Any {
  return Any.create({ typeUrl: WRAPPER, value: encode(Resource, Resource.create({ name, resource })) });
}

/** FNV-1a. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state >>> 0;
}
