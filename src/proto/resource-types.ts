/** Short names of the resource types that a gRPC client asks for, in the order in which one leads to the next. */
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

/** `LDS` for a listener's type URL; the URL itself for a type that has no short name. */
export function shortType(typeUrl: string): string {
  return SHORT_NAMES.get(typeUrl) ?? typeUrl;
}

export const TYPE_URLS: readonly string[] = Object.values(RESOURCE_TYPES);

/** The order in which one resource leads to the next, then names. */
export function byTypeAndName(a: { typeUrl: string; name: string }, b: { typeUrl: string; name: string }): number {
  return TYPE_URLS.indexOf(a.typeUrl) - TYPE_URLS.indexOf(b.typeUrl) || (a.name < b.name ? -1 : 1);
}

/** The type URL for a short name, or the text itself if it already is one. */
export function typeUrlOf(type: string): string {
  return isShortType(type) ? RESOURCE_TYPES[type] : type;
}

/** gRPC deletes a listener or cluster that a state-of-the-world response leaves out; other types are additive. */
export function isCompleteInEveryResponse(typeUrl: string): boolean {
  return typeUrl === RESOURCE_TYPES.LDS || typeUrl === RESOURCE_TYPES.CDS;
}
