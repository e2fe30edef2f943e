import { csdsOfApps } from '../support/csds-of-apps.js';

csdsOfApps('grpc-java-app', {
  refusal: 'Cluster kept: unsupported built-in discovery type: STATIC',
  scope: (target) => `xds:///${target}`,
  lost: 'breaks',
  tellsWhy: false,
});
