import { createRequire } from 'node:module';
import { LISTENER } from './listener.ts';
import { reportUsage } from './usage.ts';

// The published library: how it is bundled determines how fast it starts.
const library = createRequire(import.meta.url)(process.argv[3] as string) as typeof import('../../../src/index.ts');
const { delayOptimization, Engine, GrpcTransport, Session, systemClock, systemDns } = library;

reportUsage();
// As the command does.
delayOptimization();
const engine = new Engine({
  servers: [{ uri: process.argv[2] as string, creds: { type: 'insecure' }, callCreds: [] }],
  node: { id: 'bench', userAgentName: 'bench', userAgentVersion: '0' },
  seed: 1,
});
const session = new Session(engine, {
  clock: systemClock,
  transport: new GrpcTransport(),
  dns: systemDns,
  log: { append: () => {} },
});
session.dispatch({
  kind: 'follow',
  scope: `xds:///${LISTENER}`,
  target: `xds:///${LISTENER}`,
  listener: LISTENER,
  authority: LISTENER,
});
