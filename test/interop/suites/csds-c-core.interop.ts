import { csdsOfApps } from '../support/csds-of-apps.js';

csdsOfApps('c-core-app', {
  nackMessage: 'invalid resource: errors validating Cluster resource: [field:type error:unknown discovery type]',
  scope: (target) => `xds:/${target}`,
  lost: 'reported',
  reportsCause: true,
});
