import { describe, expect, it } from 'vitest';
import recorded from '../../fixtures/bootstrap/c-core.json' with { type: 'json' };
import names from '../../fixtures/bootstrap/c-core-names.json' with { type: 'json' };
import { authorityName, formatXdsName, parseXdsName } from '../../src/base/xds-name.js';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches, type Switches } from '../../src/bootstrap/switches.js';
import { resolveTarget } from '../../src/bootstrap/target.js';

interface RecordedBootstrap {
  id: string;
  config?: string | null;
  file?: string;
  file_path?: string;
  env?: Record<string, string | null>;
  target?: string;
  expect: {
    outcome: string;
    message?: string;
    first_request?: { resource_names: string[] };
    rpc_status?: { code: string; details: string };
  };
}

function switchesOf(env: Record<string, string | null> | undefined): Switches {
  const variables = Object.entries({ ...recorded.env, ...env }).filter(([, value]) => value !== null) as [
    string,
    string,
  ][];
  return readSwitches(Object.fromEntries(variables), 'c-core');
}

describe('readBootstrap, compared with recorded C-core', () => {
  const texts = (recorded.cases as RecordedBootstrap[]).filter(
    (c) => c.file_path === undefined && (c.file ?? c.config ?? null) !== null,
  );
  it('has all recorded cases', () => expect(texts.length).toBeGreaterThan(180));
  for (const c of texts) {
    it(c.id, () => {
      const result = readBootstrap(new TextEncoder().encode((c.file ?? c.config) as string), switchesOf(c.env));
      expect(result.ok ? 'ok' : result.message).toBe(c.expect.outcome === 'ok' ? 'ok' : c.expect.message);
    });
  }
});

describe('resolveTarget, compared with recorded C-core', () => {
  for (const c of recorded.cases as RecordedBootstrap[]) {
    const text = c.file ?? c.config;
    const { first_request: request, rpc_status: status, outcome } = c.expect;
    const isAboutTheName = /Unable to parse resource name|not present in bootstrap|authority not found/.test(
      status?.details ?? '',
    );
    if (outcome !== 'ok' || typeof text !== 'string' || (request === undefined && !isAboutTheName)) continue;
    it(c.id, () => {
      const switches = switchesOf(c.env);
      const read = readBootstrap(new TextEncoder().encode(text), switches);
      if (!read.ok) throw new Error(read.message);
      const result = resolveTarget(c.target ?? recorded.default_target, read.bootstrap, {
        preset: 'c-core',
        switches,
        defaultAuthority: undefined,
      });
      if (request === undefined)
        expect(result).toMatchObject({ ok: false, status: status?.code, message: status?.details });
      else expect(result.ok && [result.resolution.listener]).toEqual(request.resource_names);
    });
  }
});

const CLUSTER = 'envoy.config.cluster.v3.Cluster';

interface RecordedName {
  kind: string;
  name?: string;
  wire?: string | null;
  target?: string;
  options?: [string, string][];
  bootstrap?: object;
  listener?: string;
  client_scope?: string;
  authority?: string;
  rpc?: string;
}

describe('resource names and targets, compared with recorded C-core', () => {
  const switches = switchesOf({});
  const server = { server_uri: '127.0.0.1:1', channel_creds: [{ type: 'insecure' }] };
  (names.cases as unknown as RecordedName[]).forEach((c, i) => {
    if (c.kind === 'cluster-name') {
      it(`${i} cluster ${JSON.stringify(c.name)}`, () => {
        const parsed = parseXdsName(c.name as string, CLUSTER, true);
        const isKnown =
          parsed !== undefined && (parsed.kind === 'old' || names.authorities.includes(authorityName(parsed)));
        expect(isKnown ? formatXdsName(parsed, 'xdstp:/') : null).toBe(c.wire);
      });
      return;
    }
    it(`${i} target ${JSON.stringify(c.target)} ${JSON.stringify(c.options ?? '')}`, () => {
      const bootstrap = readBootstrap(
        new TextEncoder().encode(JSON.stringify({ xds_servers: [server], ...c.bootstrap })),
        switches,
      );
      if (!bootstrap.ok) throw new Error(bootstrap.message);
      const defaultAuthority = c.options?.[0]?.[1];
      const result = resolveTarget(c.target as string, bootstrap.bootstrap, {
        preset: 'c-core',
        switches,
        defaultAuthority,
      });
      if (c.rpc !== undefined) expect(result.ok ? 'resolved' : `${result.status}: ${result.message}`).toBe(c.rpc);
      else
        expect(
          result.ok && {
            listener: result.resolution.listener,
            client_scope: result.resolution.scope,
            authority: result.resolution.dataPlaneAuthority,
          },
        ).toEqual({ listener: c.listener, client_scope: c.client_scope, authority: c.authority });
    });
  });
});
