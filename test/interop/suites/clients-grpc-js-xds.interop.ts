import { clientsOnServe } from '../support/clients-on-serve.js';

clientsOnServe('grpc-js-xds-app', {
  nackMessage: 'Cluster message validation failed: [Unsupported type STATIC]',
  needsNewChannel: true,
});
