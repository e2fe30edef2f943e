import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { clientStatus } from '../../src/csds/client-status.js';
import { hasLostAuthority } from '../../src/engine/lost-servers.js';
import type { ScopeSnapshot } from '../../src/engine/scope.js';
import { explainView } from '../../src/inspect/explain/explain.js';
import { VerdictFacts } from '../../src/inspect/verdict/facts.js';
import { verdictOf } from '../../src/inspect/verdict/verdict.js';
import { ClientStatusResponse } from '../../src/proto/generated/envoy.service.status.v3.js';
import { encode } from '../../src/proto/message-type.js';
import { configView } from '../../src/view/config.js';
import { remoteStatuses } from '../../src/view/remote-status.js';
import { type ScopeStatus, scopeStatus } from '../../src/view/status.js';
import { ROOT } from '../support/root.js';
import { Simulation, scenarioFile } from '../support/simulate.js';
import { followed } from './dumps.js';

const FOLDER = join(ROOT, 'fixtures/scenarios');
const SCENARIOS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.yaml') && !file.includes('resources'),
);

/** Times at which a scenario is compared: before resource timers expire, after that, and when nothing changes any more. */
const MOMENTS = [50, 2_000, 16_000, 120_000];

function* moments(file: string): Generator<{ nodeId: string; scope: ScopeSnapshot; now: number }> {
  const scenario = scenarioFile(join(FOLDER, file));
  const run = new Simulation(scenario);
  const who = file.includes('rpc-server-')
    ? { scope: '#server', target: '#server:127.0.0.1:8080', authority: undefined }
    : { scope: 'xds:///greeter', target: 'xds:///greeter', authority: 'greeter' };
  run.session.dispatch({ kind: 'follow', listener: 'greeter', ...who });
  for (const now of MOMENTS) {
    run.clock.advanceTo(now);
    for (const scope of run.engine.snapshot()) yield { nodeId: scenario.nodeId, scope, now };
  }
}

/** Selects the fields of a resource that CSDS contains (R8.4 to R8.7). */
function csdsFields({ resources }: ScopeStatus) {
  return resources.map(({ type, name, status, version, lastUpdated, detail, error }) => ({
    type,
    name,
    status,
    version,
    // Virtual time begins at the epoch, which means no time in CSDS.
    lastUpdated: lastUpdated === '1970-01-01T00:00:00Z' ? null : lastUpdated,
    detail,
    error: error && [error.message, error.version, error.cause, error.effect === 'kept'],
  }));
}

const without = <T extends object>(view: T, ...keys: string[]): unknown =>
  JSON.parse(JSON.stringify(view, (key, value) => (keys.includes(key) ? undefined : value)));

describe('a client read over CSDS has the same status, configuration and RPC outcomes as the client itself', () => {
  for (const file of SCENARIOS) {
    it(`in ${file}`, () => {
      let compared = 0;
      for (const { nodeId, scope, now } of moments(file)) {
        const node = { id: nodeId, userAgentName: '', userAgentVersion: '' };
        const bytes = encode(
          ClientStatusResponse,
          clientStatus([{ ...scope, node }], { policies: PRESETS.spec.policies }),
        );
        const [remote] = followed(bytes, now);
        if (remote === undefined) throw new Error('no client');
        const { snapshot } = remote;
        const statuses = remoteStatuses([{ address: '', clients: [remote] }], () => true);
        expect(statuses.map(csdsFields)).toEqual([csdsFields(scopeStatus(scope, true, []))]);
        compared++;
        // R8.5: CSDS shows neither connections nor a configuration that was published before a partial update.
        const [channel] = scope.channels;
        const [remoteChannel] = snapshot.channels;
        if (channel === undefined || remoteChannel === undefined || channel.isWithheld || hasLostAuthority(scope))
          continue;
        if (hasUnreachableServer(scope) || hasOtherAddress(channel, remoteChannel)) continue;
        // The verdict is the same. Its cause depends on servers and responses, which CSDS does not show.
        const hidden = ['server', 'since', 'cause', 'advice', 'clients'];
        const verdict = verdictOf(scope, channel, { facts: new VerdictFacts(), nodeId, now });
        const [remoteVerdict = verdict] = remote.verdicts;
        expect(
          without(configView({ scope: snapshot, channel: remoteChannel, nodeId, verdict: remoteVerdict }), ...hidden),
        ).toEqual(without(configView({ scope, channel, nodeId, verdict }), ...hidden));
        const call = { path: '/a.B/C', metadata: [] };
        const options = { call, deadlineMs: undefined, rules: 'today' as const, nodeId, random: () => 0 };
        // CSDS contains the message of an error, not its code.
        const hiddenInExplain = [...hidden, 'steps', 'hints', 'fallback'];
        expect(without(explainView(snapshot, remoteChannel, options), ...hiddenInExplain)).toEqual(
          without(explainView(scope, channel, options), ...hiddenInExplain),
        );
      }
      expect(compared).toBeGreaterThan(0);
    });
  }
});

/** Whether a server is unreachable, which watchers know but CSDS does not show. */
function hasUnreachableServer({ authorities }: ScopeSnapshot): boolean {
  return authorities.some(({ servers }) => servers.some(({ failure }) => failure !== undefined));
}

/** CSDS does not contain the address of a server, so the address of its listener is used, which may differ. */
function hasOtherAddress(
  channel: { target: string; authority: string | undefined },
  remote: { target: string },
): boolean {
  return channel.authority === undefined && channel.target !== remote.target;
}
