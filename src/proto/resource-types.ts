/**
 * Short names of the resource types that a gRPC client subscribes to, in the order in which they reference each other.
 */
export const RESOURCE_TYPES = {
  LDS: 'type.googleapis.com/envoy.config.listener.v3.Listener',
  RDS: 'type.googleapis.com/envoy.config.route.v3.RouteConfiguration',
  CDS: 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
  EDS: 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment',
} as const;

export type ShortType = keyof typeof RESOURCE_TYPES;

export function isShortType(type: string): type is ShortType {
  return Object.hasOwn(RESOURCE_TYPES, type);
}

const SHORT_NAMES = new Map<string, string>(Object.entries(RESOURCE_TYPES).map(([short, url]) => [url, short]));

/** Returns `LDS` for the type URL of a listener; the URL itself for a type without a short name. */
export function shortType(typeUrl: string): string {
  return SHORT_NAMES.get(typeUrl) ?? typeUrl;
}

export const TYPE_URLS: readonly string[] = Object.values(RESOURCE_TYPES);

/** Compares by type, in the order in which types reference each other, and then by name. */
export function byTypeAndName(a: { typeUrl: string; name: string }, b: { typeUrl: string; name: string }): number {
  return TYPE_URLS.indexOf(a.typeUrl) - TYPE_URLS.indexOf(b.typeUrl) || (a.name < b.name ? -1 : 1);
}

/** Returns the type URL for a short name; any other text is returned unchanged. */
export function typeUrlOf(type: string): string {
  return isShortType(type) ? RESOURCE_TYPES[type] : type;
}

/**
 * Whether gRPC deletes a resource that a state-of-the-world response omits: it does so for listeners and clusters, but
 * not for other types.
 */
export function isCompleteInEveryResponse(typeUrl: string): boolean {
  return typeUrl === RESOURCE_TYPES.LDS || typeUrl === RESOURCE_TYPES.CDS;
}
