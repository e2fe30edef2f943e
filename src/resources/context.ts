/** What changes how a resource is judged, besides the resource itself. */
export interface ResourceContext {
  /** Names that begin with `xdstp:` are read as such (A47). */
  federation: boolean;
  /** Errors that servers report for single resources are read (A88). */
  dataErrorHandling: boolean;
  /** GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS */
  dualstackEndpoints: boolean;
  /** GRPC_EXPERIMENTAL_XDS_HTTP_CONNECT */
  httpConnect: boolean;
  /** GRPC_XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT: while on, endpoint metadata is not read for hash keys. */
  hashKeyCompat: boolean;
  /** Network interfaces by name, for zones in IPv6 addresses. */
  interfaces: ReadonlyMap<string, number>;
}
