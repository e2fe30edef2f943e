import { csdsOfApps } from '../support/csds-of-apps.js';

csdsOfApps('grpc-js-xds-app', {
  nackMessage: 'Cluster message validation failed: [Unsupported type STATIC]',
  scope: undefined,
  lost: 'kills',
  reportsCause: false,
});
