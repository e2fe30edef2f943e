import { clientsOnServe } from '../support/clients-on-serve.js';

clientsOnServe('grpc-java-app', { nackMessage: 'Cluster one: unsupported built-in discovery type: STATIC' });
