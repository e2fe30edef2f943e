import { Problems } from '../../../src/base/problem.js';
import type { ComparedResource, ResourceSet } from '../../../src/inspect/diff/resource-set.js';
import { API_TYPES } from '../../../src/proto/api-types.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { printAny } from '../../../src/proto/json/print.js';

/** A resource as a client has it: encoded, and decoded on demand. */
export function resource(
  type: string,
  name: string,
  json: object,
  facts: Partial<ComparedResource> = {},
): ComparedResource {
  const typeUrl = API_TYPES[type] ?? type;
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': typeUrl, ...json }, problems);
  if (any === undefined) throw new Error(JSON.stringify(problems.list));
  const contents = (): unknown => printAny(xdsCatalogue, typeUrl, any.value);
  return { typeUrl, name, version: '1', status: undefined, bytes: any.value, contents, ...facts };
}

/** A resource of which only the name and some facts are known. */
export function listed(type: string, name: string, facts: Partial<ComparedResource> = {}): ComparedResource {
  const typeUrl = API_TYPES[type] ?? type;
  return {
    typeUrl,
    name,
    version: undefined,
    status: undefined,
    bytes: undefined,
    contents: () => undefined,
    ...facts,
  };
}

export function setOf(label: string, ...resources: ComparedResource[]): ResourceSet {
  return { label, resources, notes: [] };
}

export const route = (prefix: string, cluster: string): object => ({ match: { prefix }, route: { cluster } });

export const routes = (name: string, ...list: object[]): object => ({
  name,
  virtualHosts: [{ name: 'all', domains: ['*'], routes: list }],
});

export const secret = (name: string, key: string): object => ({
  name,
  tlsCertificate: { certificateChain: { inlineString: 'CHAIN' }, privateKey: { inlineString: key } },
});
