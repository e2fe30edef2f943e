import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.js';
import { ROOT } from '../support/root.js';
import { HALF_BROKEN, later, STORY, scenario, serving } from '../support/serving.js';
import { until } from '../support/until.js';

describe('connect', () => {
  it('runs the example in the docs', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(STORY);
    const path = scenario('');
    writeFileSync(path, config);
    const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/library.md'), 'utf8'))?.[1] as string;
    const script = example.replace(/^import (\{.*\}) from (.*);$/gm, 'const $1 = require($2);');
    const printed: unknown[] = [];
    const fakes: Record<string, unknown> = {
      'xds-inspect': {
        ...library,
        connect: (...args: Parameters<typeof library.connect>) => {
          const client = library.connect(...args);
          later(() => client.close());
          return client;
        },
      },
      'node:fs': { readFileSync },
    };
    runInNewContext(script, {
      require: (name: string) => fakes[name],
      process: { env: { GRPC_XDS_BOOTSTRAP: path } },
      console: { log: (...args: unknown[]) => printed.push(...args) },
    });
    await until(() => printed.length > 0, 'the watcher is notified');
    expect(printed[0]).toMatchObject({ type: 'CDS', value: { discovery: { kind: 'eds' } } });
  });

  it('follows a target, returns its state, and stops following it', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(scenario(HALF_BROKEN));
    const events: library.Event[] = [];
    const client = library.connect(config, { onEvent: (event) => events.push(event), variables: {} });
    later(() => client.close());
    const stop = client.follow('xds:///greeter');
    await until(() => client.snapshot()[0]?.channels[0]?.state.kind === 'published', 'a configuration is published');
    const [scope] = client.snapshot();
    expect(scope?.entries).toHaveLength(4);
    expect(client.findings()).toEqual([]);
    const { predict } = await library.loadRouting();
    const call = { path: '/a.B/C', metadata: [] };
    const found = predict(scope?.channels[0]?.state ?? { kind: 'none' }, call, { nodeId: 'n', random: () => 0 });
    expect(found.outcome).toMatchObject({ kind: 'fails', blocked: { by: 'cluster', cluster: 'red' } });
    const state = scope?.channels[0]?.state;
    const red = state?.kind === 'published' ? state.config.clusters.get('red') : undefined;
    expect(red).toEqual({ kind: 'error', message: expect.stringMatching(/^CDS resource red: not for you \(node ID:/) });
    stop();
    expect(client.snapshot()).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: 'stream', change: 'cancelled' });
  });

  it('follows two spellings of a target as one channel, until both have ended (D17)', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(scenario(HALF_BROKEN));
    const client = library.connect(config, { variables: {} });
    later(() => client.close());
    const stops = ['xds:///greeter', 'greeter', 'xds:greeter'].map((target) => client.follow(target));
    const targets = (): string[] => client.snapshot().flatMap(({ channels }) => channels.map(({ target }) => target));
    expect(targets()).toEqual(['xds:///greeter']);
    stops[0]?.();
    stops[0]?.();
    stops[1]?.();
    expect(targets()).toEqual(['xds:///greeter']);
    stops[2]?.();
    expect(client.snapshot()).toEqual([]);
  });

  it('reads the next response after the watcher has processed the last (R1.33)', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(
      scenario(`
resources:
  a: { "@type": EDS, cluster_name: e }
  b: { "@type": EDS, cluster_name: e, endpoints: [{ locality: { region: r }, load_balancing_weight: 1 }] }
servers: { p: {} }
steps:
  - expect: { request: EDS }
  - send: { type: EDS, version: "1", resources: [a] }
  - send: { type: EDS, version: "2", resources: [b] }
`),
    );
    let updates = 0;
    let release = (): void => {};
    const client = library.connect(config, { variables: {} });
    later(() => client.close());
    client.watch('EDS', 'e', {
      onResourceChanged: () => {
        updates++;
        return new Promise<void>((done) => {
          release = done;
        });
      },
      onAmbientError: () => undefined,
    });
    await until(() => updates === 1, 'the first arrives');
    await new Promise((next) => setTimeout(next, 100));
    expect(updates).toBe(1);
    release();
    await until(() => updates === 2, 'the second arrives');
    release();
  });

  it('rejects bootstraps and targets that gRPC rejects', () => {
    expect(() => library.connect('{}', { variables: {} })).toThrow(library.ConnectError);
    const config = '{"xds_servers":[{"server_uri":"x","channel_creds":[{"type":"insecure"}]}]}';
    const client = library.connect(config, { variables: {} });
    expect(() => client.follow('xds://nobody/x')).toThrow('authority not found for nobody');
    client.close();
  });
});
