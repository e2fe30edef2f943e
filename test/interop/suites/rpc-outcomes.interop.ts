import { outcomeSuite } from '../support/rpc-outcomes/suite.js';

outcomeSuite({
  name: 'C-core',
  preset: 'c-core',
  app: 'c-core-app',
  serves: true,
  count: 200,
  codes: 0.995,
  messages: 0.995,
});
