import { outcomeSuite } from '../support/rpc-outcomes/suite.js';

outcomeSuite({
  name: 'grpc-go',
  preset: 'grpc-go',
  app: 'grpc-go-app',
  serves: true,
  count: 200,
  codes: 0.98,
  messages: 0.9,
});
