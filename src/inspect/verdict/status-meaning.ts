/** Short explanations of gRPC's status messages. The first match wins. */
const MEANINGS: readonly [RegExp, string][] = [
  [/^empty address list \(.*could not find VirtualHost/s, 'no virtual host matches this target'],
  [/^empty address list \(RDS resource/, 'gRPC has no routes for this target'],
  [/^empty address list( \(LDS resource|$)/, 'gRPC has no listener for this target'],
  [/^empty address list/, 'no usable endpoint'],
  [/^no children in weighted_target policy/, 'no usable endpoint'],
  [
    /^(ring hash cannot find a connected endpoint|connections to all backends failing|failed to connect to all addresses)/,
    'no endpoint can be reached',
  ],
  [/^(CDS|EDS) resource /, 'gRPC cannot use this resource'],
  [/^xDS config has no entry for static cluster/, 'gRPC has no such cluster'],
  [/^aggregate cluster dependency graph .* has no leaf clusters/, 'the aggregate cluster has no leaf'],
  [/^aggregate cluster graph exceeds max depth/, 'aggregate clusters are nested too deep'],
  [/^EDS-configured drop/, 'the load assignment drops RPCs'],
  [/^circuit breaker drop/, 'max_requests of the cluster is reached'],
  [/^No matching route found in xDS route config/, 'no route matches'],
  [/^Matching route has inappropriate action/, 'gRPC does not support the action of the route'],
  [/^Fault injected/, 'the fault filter aborts RPCs'],
  [/^Deadline Exceeded/, 'the timeout expires before gRPC sends the RPC'],
];

/** Explains a status message that gRPC generates for RPCs; undefined for other messages. */
export function statusMeaning(message: string): string | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(message))?.[1];
}
