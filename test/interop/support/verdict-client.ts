import recorded from '../../../fixtures/resources/c-core.json' with { type: 'json' };
import { type RecordedCase, responseOf, TYPE_URLS } from '../../../tools/oracle/recorded-case.js';
import type { PeerName } from '../../../tools/peers/peers.js';
import { startPeer } from './built-peers.js';
import type { LiveVerdict, LiveVerdicts } from './live-verdict.js';
import { VerdictServer } from './verdict-server.js';

/** The number of clients that a peer runs in parallel. */
const BATCH = 100;

/** Adds fields to a bootstrap that an implementation requires and C-core does not. */
export type Completion = (bootstrap: RecordedBootstrap) => object;

interface RecordedBootstrap {
  node: object;
  certificate_providers?: Record<string, { plugin_name: string; config: object }>;
}

/**
 * The ACKs and NACKs of a peer's clients for the responses of cases. Each case has its own client, which watches `foo` with
 * the case's bootstrap; each environment has its own process.
 */
export async function liveVerdicts(
  peer: PeerName,
  cases: readonly RecordedCase[],
  complete: Completion = (bootstrap) => bootstrap,
): Promise<LiveVerdicts> {
  const server = await VerdictServer.start();
  const verdicts = new Map<string, LiveVerdict>();
  let version = '';
  try {
    for (const [env, group] of byEnvironment(cases)) {
      const { peer: process, greeting } = await startPeer<{ version: string }>(peer, { env: environment(env) });
      version = greeting.version;
      for (let start = 0; start < group.length; start += BATCH) {
        const batch = group.slice(start, start + BATCH);
        const pending = batch.map((one) => server.verdictOf(one.id, responseOf(one)));
        await process.ask({ op: 'watch', watches: batch.map((one) => watchOf(one, server.port, complete)) });
        for (const [index, verdict] of (await Promise.all(pending)).entries())
          verdicts.set((batch[index] as RecordedCase).id, verdict);
        await process.ask({ op: 'close' });
      }
      process.kill();
    }
  } finally {
    server.close();
  }
  return { version, verdicts };
}

function watchOf(one: RecordedCase, port: number, complete: Completion): object {
  const { server_features, ...others } = one.bootstrap ?? {};
  const server = { server_uri: `127.0.0.1:${port}`, channel_creds: [{ type: 'insecure' }], server_features };
  const bootstrap = complete({ xds_servers: [server], node: { id: one.id }, ...others } as RecordedBootstrap);
  return { bootstrap, typeUrl: TYPE_URLS[one.type], name: recorded.subscribed_name };
}

function byEnvironment(cases: readonly RecordedCase[]): Map<string, RecordedCase[]> {
  const groups = new Map<string, RecordedCase[]>();
  for (const one of cases) {
    const env = JSON.stringify(one.env ?? {});
    groups.set(env, [...(groups.get(env) ?? []), one]);
  }
  return groups;
}

function environment(env: string): Record<string, string | undefined> {
  const variables: Record<string, string | undefined> = { ...recorded.env };
  for (const [name, value] of Object.entries(JSON.parse(env) as Record<string, string | null>))
    variables[name] = value ?? undefined;
  return variables;
}
