import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { printAny } from '../../proto/json/print.js';
import type { ComparedResource } from '../diff/resource-set.js';

/** What a side knows of a resource besides its contents. */
export type ResourceFacts = Pick<ComparedResource, 'typeUrl' | 'name' | 'version' | 'status'>;

/** A resource of a side by its bytes, if the side has them. It is decoded on demand. */
export function encodedResource(facts: ResourceFacts, bytes: Uint8Array | undefined): ComparedResource {
  const { typeUrl } = facts;
  return {
    ...facts,
    bytes,
    contents: () => (bytes === undefined ? undefined : printAny(xdsCatalogue, typeUrl, bytes)),
  };
}

/** A resource of a document in proto JSON; undefined if the document does not have its contents. */
export function printedResource(facts: ResourceFacts, json?: unknown): ComparedResource {
  return { ...facts, bytes: undefined, contents: () => json };
}

export function hasContents({ bytes, contents }: ComparedResource): boolean {
  return bytes !== undefined || contents() !== undefined;
}
