import { csdsOfApps } from '../support/csds-of-apps.js';

csdsOfApps('grpc-java-app', {
  nackMessage: 'Cluster kept: unsupported built-in discovery type: STATIC',
  scope: (target) => `xds:///${target}`,
  lost: 'breaks',
  reportsCause: false,
});
