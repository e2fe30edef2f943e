const P = 'type.googleapis.com/envoy.extensions.load_balancing_policies';

function list(...configs: object[]): object {
  return { policies: configs.map((typed_config) => ({ typed_extension_config: { name: 'policy', typed_config } })) };
}

/** An LB policy of grpc-js by its name, with its JSON config. */
function named(name: string, value?: object, type = 'xds.type.v3'): object {
  return { '@type': `type.googleapis.com/${type}.TypedStruct`, typeUrl: `any.host/${name}`, ...(value && { value }) };
}

const ROUND_ROBIN = { '@type': `${P}.round_robin.v3.RoundRobin` };
const PICK_FIRST = { '@type': `${P}.pick_first.v3.PickFirst`, shuffleAddressList: true };
const LEAST_REQUEST = { '@type': `${P}.least_request.v3.LeastRequest` };
const rr = [{ round_robin: {} }];
const unknown = [{ unknown: {} }, { pick_first: { shuffleAddressList: 1 } }];

const wrrLocality = (inside: object | undefined, prefix = 'type.googleapis.com/'): object => ({
  '@type': `${prefix}envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality`,
  ...(inside && { endpointPickingPolicy: inside }),
});

function nested(depth: number): object {
  return depth === 0 ? list(ROUND_ROBIN) : list(wrrLocality(nested(depth - 1)));
}

const ringHash = (config: object): object => ({ '@type': `${P}.ring_hash.v3.RingHash`, ...config });
const weighted = (config: object): object => ({
  '@type': `${P}.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`,
  ...config,
});
const outlier = (config: object): object => list(named('outlier_detection', { child_policy: rr, ...config }));
const weightedJson = (config: object): object => list(named('weighted_round_robin', config));

/** LoadBalancingPolicies that grpc-js-xds accepts or rejects for different reasons. */
export const LB_POLICIES: readonly object[] = [
  {},
  list(),
  { policies: [{}, { typed_extension_config: { name: 'empty' } }] },
  list(ROUND_ROBIN),
  list(PICK_FIRST),
  list(LEAST_REQUEST, ROUND_ROBIN),
  list(LEAST_REQUEST),
  list(wrrLocality(list(LEAST_REQUEST, ROUND_ROBIN))),
  list(wrrLocality(list(LEAST_REQUEST))),
  list(wrrLocality(undefined)),
  list(wrrLocality(list(ROUND_ROBIN), '')),
  list(wrrLocality(undefined, '')),
  nested(16),
  nested(17),
  list(ringHash({})),
  list(ringHash({ hashFunction: 'XX_HASH' })),
  list(ringHash({ hashFunction: 'XX_HASH', minimumRingSize: '10' })),
  list(ringHash({ hashFunction: 'XX_HASH', maximumRingSize: '10' })),
  list(weighted({})),
  list(weighted({ enableOobLoadReport: true, oobReportingPeriod: '1s', errorUtilizationPenalty: 1 })),
  list(weighted({ errorUtilizationPenalty: -1 })),
  list(weighted({ errorUtilizationPenalty: 'NaN' })),
  list(named('round_robin')),
  list(named('round_robin', {}, 'udpa.type.v1')),
  list(named('not_registered', {})),
  list(named('not_registered', {}), ROUND_ROBIN),
  list(named('cds', {})),
  list(named('cds', { cluster: 'a' })),
  list(named('pick_first', { shuffleAddressList: false })),
  list(named('pick_first', { shuffleAddressList: null })),
  list(named('ring_hash', { min_ring_size: 1, max_ring_size: 9e6 })),
  list(named('ring_hash', { min_ring_size: 9e6 })),
  list(named('ring_hash', { min_ring_size: '1' })),
  list(named('ring_hash', { max_ring_size: true })),
  list(named('ring_hash', { min_ring_size: 1, max_ring_size: 2 })),
  list(named('priority', {})),
  list(named('priority', { children: {}, priorities: [1] })),
  list(named('priority', { children: {}, priorities: ['a'] })),
  list(named('priority', { children: { a: 5 }, priorities: [] })),
  list(named('priority', { children: { a: {} }, priorities: [] })),
  list(named('priority', { children: { a: { config: rr } }, priorities: [] })),
  list(named('priority', { children: { a: { config: unknown, ignore_reresolution_requests: true } }, priorities: [] })),
  list(named('priority', { children: { a: { config: rr, ignore_reresolution_requests: true } }, priorities: [] })),
  list(named('weighted_target', {})),
  list(named('weighted_target', { targets: { a: null } })),
  list(named('weighted_target', { targets: { a: {} } })),
  list(named('weighted_target', { targets: { a: { weight: 1 } } })),
  list(named('weighted_target', { targets: { a: { weight: 1, child_policy: unknown } } })),
  list(named('weighted_target', { targets: { a: { weight: 1, child_policy: [...unknown, ...rr] } } })),
  list(named('xds_cluster_impl', {})),
  list(named('xds_cluster_impl', { cluster: 'a' })),
  list(named('xds_cluster_impl', { cluster: 'a', child_policy: [] })),
  list(named('xds_cluster_impl', { cluster: 'a', child_policy: rr })),
  list(named('xds_cluster_manager', {})),
  list(named('xds_cluster_manager', { children: { a: {} } })),
  list(named('xds_cluster_manager', { children: { a: { child_policy: [{}] } } })),
  list(named('xds_cluster_manager', { children: { a: { child_policy: rr } } })),
  list(named('xds_wrr_locality', {})),
  list(named('xds_wrr_locality', { child_policy: unknown })),
  outlier({}),
  outlier({ child_policy: null }),
  outlier({ child_policy: [] }),
  outlier({ child_policy: [{ pick_first: {} }] }),
  outlier({ interval: 1 }),
  outlier({ interval: null }),
  outlier({ interval: { seconds: 1, nanos: 0 } }),
  outlier({ base_ejection_time: { seconds: -1, nanos: 0 } }),
  outlier({ max_ejection_percent: 101 }),
  outlier({ max_ejection_percent: 'a' }),
  outlier({ success_rate_ejection: 1 }),
  outlier({ success_rate_ejection: { stdev_factor: 'a' } }),
  outlier({ success_rate_ejection: { enforcement_percentage: -1 } }),
  outlier({ success_rate_ejection: { minimum_hosts: true } }),
  outlier({ failure_percentage_ejection: { threshold: 101 } }),
  outlier({ failure_percentage_ejection: { threshold: 1, request_volume: 1 } }),
  weightedJson({}),
  weightedJson({ enable_oob_load_report: 1 }),
  weightedJson({ error_utilization_penalty: -1 }),
  weightedJson({ blackout_period: '1s', weight_expiration_period: { seconds: 1, nanos: 0 } }),
  weightedJson({ blackout_period: 'soon' }),
  weightedJson({ weight_update_period: 5 }),
  weightedJson({ weight_update_period: null }),
];
