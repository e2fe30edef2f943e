import { serversOnServe } from '../support/servers-on-serve.js';

serversOnServe('grpc-go-app', 'envoy.config.cluster.v3.Cluster');
