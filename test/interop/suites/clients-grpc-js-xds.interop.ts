import { clientsOnServe } from '../support/clients-on-serve.js';

clientsOnServe('grpc-js-xds-app', {
  refusal: 'Cluster message validation failed: [Unsupported type STATIC]',
  staysLost: true,
});
