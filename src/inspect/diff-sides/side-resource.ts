import { redactText } from '../../base/secret-name.js';
import { Problems } from '../../base/problem.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { parseAny } from '../../proto/json/parse.js';
import { printAny } from '../../proto/json/print.js';
import type { ComparedResource } from '../diff/resource-set.js';

/** A resource of a side as it was read: its bytes, its proto JSON, or neither. */
export interface SideResource {
  typeUrl: string;
  name: string;
  version: string | undefined;
  /** The cache status, if the side knows one. */
  status: string | undefined;
  bytes?: Uint8Array | undefined;
  json?: unknown;
  /** The client has no version of the resource in use, as opposed to one that the side does not show. */
  isAbsent?: boolean;
}

/** What a side consists of. */
export interface SideContent {
  label: string;
  resources: readonly SideResource[];
  notes: readonly string[];
  /** The side was saved without its secrets, so that these cannot be compared. */
  isRedacted: boolean;
}

/** The resource with its contents on demand: 10,000 decoded resources would need gigabytes. */
export function comparedResource(resource: SideResource, hidesSecrets: boolean): ComparedResource {
  const { typeUrl, name, version, status, bytes } = resource;
  return { typeUrl, name, version, status, bytes, contents: () => contentsOf(resource, hidesSecrets) };
}

export function contentsOf({ typeUrl, bytes, json }: SideResource, hidesSecrets = false): unknown {
  if (!hidesSecrets) return bytes === undefined ? json : printAny(xdsCatalogue, typeUrl, bytes);
  const shown = bytes === undefined ? withoutSecrets(json) : printAny(xdsCatalogue, typeUrl, bytes, { showSecrets: false });
  return shown === undefined ? undefined : JSON.parse(redactText(JSON.stringify(shown)));
}

/** Contents from a document may have secrets, which only their encoding shows. Without secrets, they cannot be encoded. */
function withoutSecrets(json: unknown): unknown {
  const any = json === undefined ? undefined : parseAny(xdsCatalogue, json, new Problems(), []);
  return any === undefined ? json : printAny(xdsCatalogue, any.typeUrl, any.value, { showSecrets: false });
}
