import type { PeerName } from '../../tools/peers/peers.js';

export interface Suite {
  /** Its file is suites/<name>.interop.ts. */
  name: string;
  peers: readonly PeerName[];
  /** Whether CI runs it. */
  isQuick: boolean;
}

export const SUITES: readonly Suite[] = [
  { name: 'clients-c-core', peers: ['c-core-app'], isQuick: true },
  { name: 'oracle-c-core', peers: ['c-core-oracle'], isQuick: true },
  { name: 'oracle-grpc-go', peers: ['grpc-go-oracle'], isQuick: true },
  { name: 'oracle-grpc-java', peers: ['grpc-java-oracle'], isQuick: false },
  { name: 'oracle-grpc-node', peers: ['grpc-node-oracle'], isQuick: false },
  { name: 'oracle-c-core-all', peers: ['c-core-oracle'], isQuick: false },
  { name: 'differential-c-core', peers: ['c-core-oracle'], isQuick: true },
  { name: 'clients-grpc-go', peers: ['grpc-go-app'], isQuick: true },
  { name: 'control-plane-go', peers: ['go-plane', 'grpc-go-app', 'c-core-app'], isQuick: true },
  { name: 'control-plane-istio', peers: ['istio-plane'], isQuick: false },
  { name: 'control-plane-java', peers: ['java-plane'], isQuick: false },
  { name: 'verdicts-grpc-go', peers: ['grpc-go-verdicts'], isQuick: true },
  { name: 'verdicts-envoy', peers: ['envoy'], isQuick: false },
  { name: 'verdicts-grpc-java', peers: ['grpc-java-verdicts'], isQuick: false },
  { name: 'verdicts-grpc-js-xds', peers: ['grpc-js-xds-verdicts'], isQuick: false },
  { name: 'clients-grpc-java', peers: ['grpc-java-app'], isQuick: false },
  { name: 'clients-grpc-js-xds', peers: ['grpc-js-xds-app'], isQuick: false },
  { name: 'clients-envoy', peers: ['envoy'], isQuick: false },
  { name: 'servers-c-core', peers: ['c-core-app'], isQuick: true },
  { name: 'servers-grpc-go', peers: ['grpc-go-app'], isQuick: true },
  { name: 'servers-grpc-java', peers: ['grpc-java-app'], isQuick: false },
  { name: 'rpc-outcomes', peers: ['c-core-app'], isQuick: true },
  { name: 'rpc-outcomes-grpc-go', peers: ['grpc-go-app'], isQuick: false },
  { name: 'rpc-outcomes-grpc-java', peers: ['grpc-java-app'], isQuick: false },
  { name: 'rpc-outcomes-grpc-node', peers: ['grpc-js-xds-app'], isQuick: false },
  { name: 'tp3-c-core', peers: ['c-core-app'], isQuick: true },
  { name: 'prometheus', peers: ['prometheus', 'promtool'], isQuick: true },
  // The collector takes a minute to build.
  { name: 'otel-collector', peers: ['otel-collector'], isQuick: false },
  // Downloads a gigabyte of sources.
  {
    name: 'resources-of-projects',
    peers: ['envoy-gateway-source', 'consul-source', 'istio-source'],
    isQuick: false,
  },
  // grpcurl takes a minute to build.
  { name: 'csds-grpcurl', peers: ['grpcurl'], isQuick: false },
  // These install the project from a clone, with all its devDependencies.
  { name: 'container', peers: ['hadolint', 'unshare', 'node-24'], isQuick: false },
  { name: 'github-action', peers: [], isQuick: false },
  { name: 'pre-commit', peers: ['pre-commit'], isQuick: false },
  { name: 'csds-c-core', peers: ['c-core-app'], isQuick: true },
  { name: 'csds-grpc-go', peers: ['grpc-go-app'], isQuick: true },
  { name: 'csds-grpc-java', peers: ['grpc-java-app'], isQuick: false },
  { name: 'csds-grpc-js-xds', peers: ['grpc-js-xds-app'], isQuick: false },
];
