import type { Dice } from '../../../../tools/oracle/mutation/dice.js';
import { RandomClusters } from './random-clusters.js';
import type { Ports } from './random-endpoints.js';
import { randomFaults } from './random-faults.js';
import { randomDuration, randomRouteConfig } from './random-routes.js';

const FILTERS = 'type.googleapis.com/envoy.extensions.filters';
const ROUTER = { name: 'router', typed_config: { '@type': `${FILTERS}.http.router.v3.Router` } };

/** The resources of the target `xds:///<name>`. */
export function randomClient(name: string, ports: Ports, dice: Dice): object[] {
  const clusters = new RandomClusters(name, ports, dice);
  const faults = randomFaults(dice);
  const routes = randomRouteConfig(`${name}-routes`, clusters, faults, dice);
  const isInline = dice.chance(0.3);
  const inline = isInline
    ? { route_config: routes }
    : { rds: { route_config_name: `${name}-routes`, config_source: { ads: {}, resource_api_version: 'V3' } } };
  const listener = {
    '@type': 'LDS',
    name,
    api_listener: {
      api_listener: {
        '@type': `${FILTERS}.network.http_connection_manager.v3.HttpConnectionManager`,
        ...inline,
        ...(dice.chance(0.1) ? { common_http_protocol_options: durationOf(randomDuration(dice)) } : {}),
        http_filters: [...(faults === undefined ? [] : [faults]), ROUTER],
      },
    },
  };
  return [
    ...(dice.chance(0.01) ? [] : [listener]),
    ...(isInline || dice.chance(0.01) ? [] : [{ '@type': 'RDS', ...routes }]),
    ...clusters.resources,
  ];
}

/** A listener has only one of the two timeouts. */
function durationOf(limits: object): object {
  return 'max_stream_duration' in limits ? { max_stream_duration: limits.max_stream_duration } : {};
}
