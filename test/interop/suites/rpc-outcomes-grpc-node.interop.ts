import { outcomeSuite } from '../support/rpc-outcomes/suite.js';

outcomeSuite({
  name: 'grpc-js-xds',
  preset: 'grpc-node',
  app: 'grpc-js-xds-app',
  serves: false,
  count: 200,
  codes: 0.98,
  messages: 0.9,
});
