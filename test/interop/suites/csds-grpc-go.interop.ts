import { csdsOfApps } from '../support/csds-of-apps.js';

csdsOfApps('grpc-go-app', {
  nackMessage: 'unsupported cluster type (STATIC, <nil>)',
  scope: (target) => `xds:///${target}`,
  lost: 'reported',
  reportsCause: false,
});
