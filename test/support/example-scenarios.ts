import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.js';

export const STORY = join(ROOT, 'fixtures/scenarios/demo/first-look.yaml');

/** The resources of `STORY`, which do not change. */
export const STEADY = readFileSync(STORY, 'utf8').replace(/^steps:[\s\S]*/m, '');

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER =
  '{ name: r, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }';

/** The listener `greeter`, in YAML; `filters` come before the router. */
export function listener(routes: string, filters = ''): string {
  return `{ "@type": LDS, name: greeter, api_listener: { api_listener: { "@type": ${HCM}, http_filters: [${filters}${ROUTER}], ${routes} } } }`;
}

/** A scenario whose server sends the cluster `blue` and an error for the cluster `red`. */
export const HALF_BROKEN = `
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: /a }, route: { cluster: red } }, { match: { prefix: "" }, route: { cluster: blue } }] }] }')}
  b: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
servers:
  p:
    serves: [{ type: LDS, version: "1", resources: [l] }, { type: EDS, version: "1", resources: [e] }]
    on:
      - request: CDS
        do: [{ send: { type: CDS, version: "2", resources: [b], errors: [{ name: red, code: PERMISSION_DENIED, message: not for you }] } }]
`;
