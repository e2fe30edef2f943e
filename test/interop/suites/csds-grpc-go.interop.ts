import { csdsOfApps } from '../support/csds-of-apps.js';

csdsOfApps('grpc-go-app', {
  refusal: 'unsupported cluster type (STATIC, <nil>)',
  scope: (target) => `xds:///${target}`,
  lost: 'told',
  tellsWhy: false,
});
