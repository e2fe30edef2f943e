import recorded from '../../../fixtures/resources/c-core.json' with { type: 'json' };
import { toBase64 } from '../../../src/base/base64.js';
import { Problems } from '../../../src/base/problem.js';
import { fieldOf } from '../../../src/peers/located-value.js';
import { problemsOf } from '../../../src/peers/subject.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import type { Json } from '../../../src/proto/json/well-known.js';
import { type RecordedCase, TYPE_URLS } from '../../../tools/oracle/recorded-case.js';
import { subjectOf } from '../../peers/notes-subject.js';

type JsonObject = { [key: string]: Json };

/** Numbers and texts for which implementations behave differently. */
const ODD_VALUES: readonly Json[] = [
  '',
  'X',
  'foo',
  '*',
  0,
  1,
  101,
  65_536,
  4_294_967_295,
  true,
  false,
  '0s',
  '-1s',
  {},
  [],
];

/** A number from 0 to below 1, the same for the same seed: a linear congruential generator of 32 bits. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Generates resources from those of cases: omits parts, repeats them, or replaces them by values of the same field in
 * another resource. Their verdict is this project's own.
 */
export function* mutations(cases: readonly RecordedCase[], seed: number): Generator<RecordedCase> {
  const bases = cases.flatMap((one) => {
    const json = subjectOf(one)?.json;
    const isWatched = [fieldOf(json, 'name'), fieldOf(json, 'clusterName')].includes(recorded.subscribed_name);
    return json !== undefined && isWatched && one.env === undefined ? [{ one, json }] : [];
  });
  const donors = new Map<string, Json[]>();
  for (const { json } of bases) collect(json, donors);
  const mutator = new Mutator(donors, random(seed));
  for (let count = 0; ; count++) {
    const { one, json } = mutator.oneOf(bases);
    const bytes = bytesOf(one.type, mutator.change(json));
    if (bytes === undefined) continue;
    const response = [{ type_url: TYPE_URLS[one.type] as string, bytes: toBase64(bytes) }];
    const { bootstrap, type } = one;
    const made: RecordedCase = { id: `mutation-${seed}-${count}`, type, response, expect: { verdict: 'NACK' } };
    if (bootstrap !== undefined) made.bootstrap = bootstrap;
    const subject = subjectOf(made);
    if (subject === undefined) continue;
    yield { ...made, expect: { verdict: problemsOf(subject).length === 0 ? 'ACK' : 'NACK' } };
  }
}

/** Returns `undefined` if the JSON is not a valid message of the type. */
function bytesOf(type: string, json: Json): Uint8Array | undefined {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { ...(json as JsonObject), '@type': TYPE_URLS[type] as string }, problems);
  return problems.list.length > 0 ? undefined : any?.value;
}

/** Collects all values of a resource by field name. */
function collect(json: Json, donors: Map<string, Json[]>): void {
  if (Array.isArray(json)) for (const item of json) collect(item, donors);
  else if (typeof json === 'object' && json !== null)
    for (const [name, value] of Object.entries(json)) {
      donors.set(name, [...(donors.get(name) ?? []), value]);
      collect(value, donors);
    }
}

class Mutator {
  readonly #donors: ReadonlyMap<string, Json[]>;
  readonly #random: () => number;

  constructor(donors: ReadonlyMap<string, Json[]>, random: () => number) {
    this.#donors = donors;
    this.#random = random;
  }

  oneOf<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  /** One to three changes. */
  change(json: Json): Json {
    const copy = structuredClone(json);
    for (let times = 1 + Math.floor(this.#random() * 3); times > 0; times--) {
      const containers: Container[] = [];
      listContainers(copy, '', containers);
      this.#changeIn(this.oneOf(containers));
    }
    return { ...(copy as JsonObject), ...nameOf(json) };
  }

  #changeIn({ value, name }: Container): void {
    if (Array.isArray(value)) this.#changeList(value);
    else this.#changeObject(value, name);
  }

  #changeList(list: Json[]): void {
    const at = Math.floor(this.#random() * list.length);
    if (this.#random() < 0.5) list.splice(at, 1);
    else if (list.length > 0) list.push(structuredClone(list[at] as Json));
  }

  #changeObject(value: JsonObject, name: string): void {
    const names = Object.keys(value).filter((key) => key !== '@type');
    const key = this.oneOf(names);
    const choice = this.#random();
    if (choice < 0.3 || key === undefined) this.#addTo(value, name);
    else if (choice < 0.5) delete value[key];
    else if (choice < 0.6) value[key] = structuredClone(this.oneOf(ODD_VALUES));
    else value[key] = structuredClone(this.oneOf(this.#donors.get(key) ?? [value[key] as Json]));
  }

  /** Adds a field that another value of the same field has. */
  #addTo(value: JsonObject, name: string): void {
    const donor = this.oneOf(this.#donors.get(name) ?? []);
    const from = Array.isArray(donor) ? this.oneOf(donor) : donor;
    if (typeof from !== 'object' || from === null || Array.isArray(from)) return;
    const key = this.oneOf(Object.keys(from).filter((one) => one !== '@type'));
    if (key !== undefined) value[key] = structuredClone(from[key] as Json);
  }
}

/** A resource keeps its name: most clients do not validate resources to which they are not subscribed. */
function nameOf(resource: Json): JsonObject {
  const { name, clusterName } = resource as JsonObject;
  return { ...(name === undefined ? {} : { name }), ...(clusterName === undefined ? {} : { clusterName }) };
}

interface Container {
  value: JsonObject | Json[];
  /** The field that contains it. */
  name: string;
}

function listContainers(json: Json, name: string, found: Container[]): void {
  if (typeof json !== 'object' || json === null) return;
  found.push({ value: json, name });
  if (Array.isArray(json)) for (const item of json) listContainers(item, name, found);
  else for (const [key, value] of Object.entries(json)) listContainers(value, key, found);
}
