import { csdsOfApps } from '../support/csds-of-apps.js';

csdsOfApps('c-core-app', {
  refusal: 'invalid resource: errors validating Cluster resource: [field:type error:unknown discovery type]',
  scope: (target) => `xds:/${target}`,
  lost: 'told',
  tellsWhy: true,
});
