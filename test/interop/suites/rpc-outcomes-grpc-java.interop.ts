import { outcomeSuite } from '../support/rpc-outcomes/suite.js';

outcomeSuite({
  name: 'grpc-java',
  preset: 'grpc-java',
  app: 'grpc-java-app',
  serves: true,
  count: 200,
  codes: 0.98,
  messages: 0.9,
});
