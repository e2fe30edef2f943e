import { statusName } from '../base/status.js';
import type { Fetch } from '../engine/get/fetch.js';
import type { ReceivedResource } from '../engine/get/received-resource.js';
import type { ResourceSetChange } from '../engine/get/resource-set.js';
import type { FindingView } from '../inspect/finding-view.js';
import type { ResourceType } from '../proto/find-resource-type.js';
import type { Catalogue } from '../proto/json/catalogue.js';
import { printAny } from '../proto/json/print.js';
import type { Json } from '../proto/json/well-known.js';
import { timestamp } from '../proto/timestamp.js';

/** How resources are printed: the type, the message types for JSON, and whether secrets are shown. */
export interface Printing {
  type: ResourceType;
  catalogue: Catalogue;
  showSecrets: boolean;
}

export interface ResourceView {
  /** `CDS`, or the type URL for a type without a short name. */
  type: string;
  name: string;
  version: string;
  ttl?: string;
  server: string;
  /** Size of the resource on the wire. */
  bytes: number;
  verdict: ReceivedResource['verdict'];
  problems?: readonly { path: string; message: string }[];
  /** The complete resource in proto JSON; null if the wrapper was empty. */
  resource: Json;
}

export interface GetView {
  schema: 'xds-inspect/get/v1';
  /** `all` for every type that gRPC reads; each resource and error has its own. */
  type: string;
  typeUrl: string | null;
  server: string;
  /** Of the last response; null if there was none, and for `all`. */
  version: string | null;
  /** The message of the last NACK; null if there was none. */
  nack: string | null;
  resources: ResourceView[];
  errors: ReturnType<typeof errorView>[];
  /** Names; `EDS/blue` for `all`. */
  missing: string[];
  /** The numbers of resources and errors that were too many to keep; absent if there are none. */
  omitted?: { resources: number; errors: number };
  findings: readonly FindingView[];
}

export function getView(fetch: Fetch, findings: readonly FindingView[], printing: Printing): GetView {
  const { short, typeUrl } = printing.type;
  return {
    schema: 'xds-inspect/get/v1',
    type: short,
    typeUrl,
    server: fetch.server,
    version: fetch.version ?? null,
    nack: fetch.nack ?? null,
    resources: fetch.resources.map((change) => resourceView(change, printing)),
    errors: fetch.errors.map((error) => errorView(error, printing)),
    missing: fetch.missing,
    ...omittedView([fetch.omitted]),
    findings,
  };
}

function omittedView(parts: readonly (GetView['omitted'] | undefined)[]): Pick<GetView, 'omitted'> {
  const sum = (key: 'resources' | 'errors'): number => parts.reduce((all, part) => all + (part?.[key] ?? 0), 0);
  const omitted = { resources: sum('resources'), errors: sum('errors') };
  return omitted.resources + omitted.errors === 0 ? {} : { omitted };
}

/** Joins the views of several types, in this order. */
export function joinViews(views: readonly GetView[]): GetView {
  return {
    schema: 'xds-inspect/get/v1',
    type: 'all',
    typeUrl: null,
    server: views[0]?.server ?? '',
    version: null,
    nack: views.find(({ nack }) => nack !== null)?.nack ?? null,
    resources: views.flatMap(({ resources }) => resources),
    errors: views.flatMap(({ errors }) => errors),
    missing: views.flatMap(({ type, missing }) => missing.map((name) => `${type}/${name}`)),
    ...omittedView(views.map(({ omitted }) => omitted)),
    findings: views.flatMap(({ findings }) => findings),
  };
}

export function resourceView(
  { server, received }: Extract<ResourceSetChange, { kind: 'resource' }>,
  { type, catalogue, showSecrets }: Printing,
): ResourceView {
  const { name, version, ttl, resource, verdict, problems } = received;
  return {
    type: type.short,
    name,
    version,
    ...(ttl !== undefined && { ttl }),
    server,
    bytes: resource?.value.length ?? 0,
    verdict,
    ...(problems.length > 0 && { problems }),
    // Not kept: the JSON of all resources can need many times the memory of their bytes.
    get resource() {
      return resource === undefined ? null : printAny(catalogue, resource.typeUrl, resource.value, { showSecrets });
    },
  };
}

/** The code is null if the server sent no status. */
function errorView({ name, server, status }: Extract<ResourceSetChange, { kind: 'error' }>, { type }: Printing) {
  const code = status === undefined ? null : statusName(status.code);
  return { type: type.short, name, server, code, message: status?.message ?? '' };
}

/** A change as one NDJSON event. */
export function resourceChangeJson(change: ResourceSetChange, printing: Printing): Record<string, unknown> {
  const { short, typeUrl } = printing.type;
  const head = { at: timestamp(change.at), scope: 'get', kind: change.kind === 'error' ? 'error' : 'resource' };
  const type = { type: short, typeUrl };
  if (change.kind === 'resource') return { ...head, change: 'updated', ...type, ...resourceView(change, printing) };
  if (change.kind === 'error') return { ...head, ...type, ...errorView(change, printing) };
  return { ...head, change: 'removed', ...type, name: change.name, server: change.server };
}
