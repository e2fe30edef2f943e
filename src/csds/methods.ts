/** CSDS (R8.1). */
export const CSDS_SERVICE = 'envoy.service.status.v3.ClientStatusDiscoveryService';
export const FETCH_METHOD = `/${CSDS_SERVICE}/FetchClientStatus`;
export const STREAM_METHOD = `/${CSDS_SERVICE}/StreamClientStatus`;
