import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTree, kindOf, type Node, parseTree, places, serialize, type Tree, typeUrlIn } from './wire-tree.js';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/resources');
const FILES = ['c-core.json', 'c-core-found.json'];
const PREFIX = 'type.googleapis.com/';
/** Larger resources test limits of size; mutations of them add little. */
const MAX_BYTES = 20_000;
/** The pool of a field is small, so that rare values stay likely. */
const MAX_POOL = 400;

export interface SeedResource {
  /** `Listener`, `Cluster`, … */
  type: string;
  typeUrl: string;
  bytes: Buffer;
  isValid: boolean;
}

interface RecordedResources {
  cases: {
    type: string;
    response: { type_url: string; bytes: string }[];
    resource_errors?: string[];
    response_type_url?: string;
    expect: { verdict: string };
  }[];
}

/** All recorded resources, and their parts, from which new ones are built. */
export interface Corpus {
  valid: readonly SeedResource[];
  all: readonly SeedResource[];
  /** All recorded values, by kind of field. */
  pool: ReadonlyMap<string, readonly Node[]>;
  /** Every recorded Any. */
  anys: readonly Tree[];
  typeUrls: readonly string[];
  texts: readonly Buffer[];
  resourceErrors: readonly Buffer[];
}

export function readCorpus(): Corpus {
  const seeds: SeedResource[] = [];
  const resourceErrors: Buffer[] = [];
  for (const file of FILES) {
    const { cases } = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as RecordedResources;
    for (const { type, response, expect, resource_errors: errors = [], response_type_url: other } of cases) {
      resourceErrors.push(...errors.map((text) => Buffer.from(text, 'base64')));
      if (other !== undefined) continue;
      for (const { type_url: typeUrl, bytes } of response) {
        const seed = { type, typeUrl, bytes: Buffer.from(bytes, 'base64'), isValid: expect.verdict === 'ACK' };
        if (seed.bytes.length <= MAX_BYTES && treeOf(seed) !== undefined) seeds.push(seed);
      }
    }
  }
  return {
    valid: seeds.filter(({ isValid }) => isValid),
    all: seeds,
    resourceErrors,
    ...ingredients(seeds),
  };
}

export function treeOf({ typeUrl, bytes }: SeedResource): Tree | undefined {
  return parseTree(Buffer.from(bytes), { message: typeUrl.slice(PREFIX.length) });
}

function ingredients(seeds: readonly SeedResource[]): Pick<Corpus, 'pool' | 'anys' | 'typeUrls' | 'texts'> {
  const pool = new Map<string, Map<string, Node>>();
  const texts = new Set<string>();
  const anys = new Map<string, Tree>();
  const typeUrls = new Set<string>(seeds.map(({ typeUrl }) => typeUrl));
  for (const { tree, node } of seeds.flatMap((seed) => [...places(treeOf(seed) as Tree)])) {
    const kind = kindOf(tree, node);
    const known = pool.get(kind) ?? new Map<string, Node>();
    if (known.size < MAX_POOL) known.set(serialize({ ...tree, nodes: [node] }).toString('latin1'), node);
    pool.set(kind, known);
    if (Buffer.isBuffer(node.value)) texts.add(node.value.toString('latin1'));
    const typeUrl = isTree(node.value) ? typeUrlIn(node.value) : undefined;
    if (typeUrl === undefined) continue;
    anys.set(serialize(node.value as Tree).toString('latin1'), node.value as Tree);
    typeUrls.add(typeUrl);
  }
  return {
    pool: new Map([...pool].map(([kind, nodes]) => [kind, [...nodes.values()]])),
    anys: [...anys.values()],
    typeUrls: [...typeUrls],
    texts: [...texts].filter((text) => text.length < 80).map((text) => Buffer.from(text, 'latin1')),
  };
}
