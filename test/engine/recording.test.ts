import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { effectiveBootstrap } from '../../src/bootstrap/effective.js';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import type { Event } from '../../src/core/event.js';
import { Engine } from '../../src/engine/engine.js';
import { type Line, RecordingDecoder } from '../../src/engine/recording/decoder.js';
import { engineSetup } from '../../src/engine/recording/engine-setup.js';
import { MessageParts } from '../../src/engine/recording/message-parts.js';
import { Replay } from '../../src/engine/replay.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { Redactor } from '../../src/proto/redactor.js';
import { listener } from '../support/example-scenarios.js';
import { RecordedSimulation, type RecordOptions } from '../support/recorded.js';
import { ROOT } from '../support/root.js';
import { scenarioFile, scenarioFrom } from '../support/simulate.js';

const FOLDER = join(ROOT, 'fixtures/scenarios');
const SCENARIOS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
const MINUTES = 2;

function read(text: string): Line[] {
  const decoder = new RecordingDecoder();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => decoder.line(line));
}

/** Replays a recording from its text alone. */
function replayText(text: string): { events: Event[]; engine: Engine } {
  const events: Event[] = [];
  let engine: Engine | undefined;
  let replay: Replay | undefined;
  for (const line of read(text)) {
    if (line.kind === 'damage') throw new Error(line.what);
    if (line.kind === 'header') {
      const setting = engineSetup(line.header);
      if ('failure' in setting) throw new Error(setting.failure);
      engine = new Engine(setting.options);
      replay = new Replay(engine, (event) => events.push(event));
    }
    if (line.kind === 'input') replay?.input(line.input, line.at);
  }
  return { events, engine: engine as Engine };
}

function record(name: string): RecordedSimulation {
  const run = new RecordedSimulation(scenarioFile(join(FOLDER, name)));
  for (const target of ['greeter', '#server:0.0.0.0:8080']) run.follow(target);
  run.clock.advanceBy(MINUTES * 60_000);
  return run;
}

const withoutFunctions = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the replay of a recording', () => {
  it.each(SCENARIOS)('of %s has the same events and state as the session', (name) => {
    const live = record(name);
    const replayed = replayText(live.finish());
    expect(replayed.events).toEqual(live.events);
    expect(live.events.length).toBeGreaterThan(3);
    expect(withoutFunctions(replayed.engine.snapshot())).toEqual(withoutFunctions(live.engine.snapshot()));
    expect(replayed.engine.findings()).toEqual(live.engine.findings());
  });
});

describe('the size of a recording', () => {
  it('grows only a little if a control plane repeats its messages', () => {
    const { lines } = record('findings/nack-loop.yaml');
    const [first = '', ...replayed] = lines.filter(
      (line) => line.includes('"message"') && line.includes('"stream":1,'),
    );
    expect(first.length).toBeGreaterThan(300);
    expect(replayed.length).toBeGreaterThan(100);
    expect(Math.max(...replayed.slice(5).map(({ length }) => length))).toBeLessThan(130);
  });
});

describe('the parts of a message', () => {
  const field = (letter: string, length = 100): Uint8Array =>
    Uint8Array.from([0x12, length, ...Array.from({ length }, () => letter.charCodeAt(0))]);
  const message = (...fields: Uint8Array[]): Uint8Array => Buffer.concat(fields);
  const short = Uint8Array.of(0x2a, 1, 49);

  it('are written once, and later messages refer to ranges of them', () => {
    const parts = new MessageParts();
    const all = [...'abcdef'].map((letter) => field(letter));
    expect(parts.cut(message(short, ...all))).toEqual([
      { from: 0, to: 615, lengths: [3, 102, 102, 102, 102, 102, 102] },
    ]);
    expect(parts.cut(message(...all.slice(0, 2), field('x'), ...all.slice(3), short))).toEqual([
      [1, 2],
      { from: 204, to: 306, lengths: [102] },
      [4, 3],
      { from: 612, to: 615, lengths: [3] },
    ]);
    expect(parts.cut(message(field('x')))).toEqual([[7, 1]]);
  });

  it('are copied, so that the bytes of the message may change', () => {
    const parts = new MessageParts();
    const bytes = message(short, field('a'), field('b'));
    parts.cut(bytes);
    bytes.fill(0);
    expect(parts.cut(message(field('b')))).toEqual([[2, 1]]);
  });

  it('may be bytes that are not fields', () => {
    const broken = Uint8Array.from({ length: 60 }, () => 0xff);
    expect(new MessageParts().cut(broken)).toEqual([{ from: 0, to: 60, lengths: [60] }]);
    expect(new MessageParts().cut(new Uint8Array())).toEqual([]);
  });

  it('are dropped at the memory limit, and then written again', () => {
    const parts = new MessageParts(300);
    for (const letter of 'abcd') parts.cut(message(field(letter)));
    expect(parts.cut(message(field('d')))).toEqual([[3, 1]]);
    expect(parts.cut(message(field('a')))).toEqual([{ from: 0, to: 102, lengths: [102] }]);
  });
});

describe('secrets in a recording', () => {
  const SECRET = 'nobody-may-see-this-key';
  const CLUSTER = `
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }')}
  b: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } }, transport_socket: { name: t, typed_config: { "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext, common_tls_context: { tls_certificates: [{ private_key: { inline_string: ${SECRET} } }] } } } }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [b] }] } }
`;
  const redactor = new Redactor(xdsCatalogue);
  const redact = (bytes: Uint8Array): Uint8Array =>
    redactor.redact('envoy.service.discovery.v3.DiscoveryResponse', bytes);
  const run = (options: RecordOptions): RecordedSimulation => {
    const metadata = { env: 'prod', api_token: SECRET, nested: [{ Password: SECRET }] };
    const live = new RecordedSimulation(scenarioFrom(CLUSTER), { metadata, ...options });
    live.follow('greeter');
    live.clock.advanceBy(1000);
    return live;
  };
  /** The text, with its base64 decoded. */
  const decodedText = (text: string): string =>
    text +
    text.replaceAll(/"([\w+/]{8,}={0,2})"/g, (_, base64: string) => Buffer.from(base64, 'base64').toString('latin1'));

  it('are redacted, and the replay has the same events', () => {
    const live = run({ redact });
    const text = live.finish();
    expect(decodedText(text)).not.toContain(SECRET);
    expect(decodedText(text)).toContain('[redacted]');
    expect(text).toContain('"metadata":{"env":"prod","api_token":"[redacted]","nested":[{"Password":"[redacted]"}]}');
    expect(live.events.some(({ kind }) => kind === 'error')).toBe(true);
    expect(replayText(text).events).toEqual(live.events);
  });

  it('are kept on request', () => {
    const text = run({ keepsSecrets: true }).finish();
    expect(decodedText(text).split(SECRET).length).toBeGreaterThan(3);
    expect(text).toContain('"secrets":"kept"');
  });
});

describe('a bootstrap in a recording', () => {
  it('contains the fields that gRPC uses, and no others', () => {
    const variables = {
      GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS: 'true',
      GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT: 'true',
    };
    const switches = readSwitches(variables, 'spec');
    const files = { certificate_file: 'c', private_key_file: 'k', ca_certificate_file: 'a', refresh_interval: '1.5s' };
    const server = (uri: string, creds: object): object => ({
      server_uri: uri,
      channel_creds: [{ type: 'unknown', config: { password: 'x' } }, creds],
      call_creds: [{ type: 'jwt_token_file', config: { jwt_token_file: '/t' } }],
      server_features: ['fail_on_data_errors', 'xds_v3'],
    });
    const tls = { type: 'tls', config: files };
    const bootstrap = readBootstrap(
      new TextEncoder().encode(
        JSON.stringify({
          xds_servers: [server('a:1', tls), server('b:1', { type: 'google_default' })],
          node: {
            id: 'n',
            cluster: 'c',
            locality: { region: 'r', sub_zone: 's' },
            metadata: { a: [1, null, true, 'x'] },
          },
          authorities: {
            o: {
              client_listener_resource_name_template: 'xdstp://o/%s',
              xds_servers: [server('c:1', tls)],
              fallback_on_reachability_only: true,
            },
          },
          certificate_providers: { p: { plugin_name: 'file_watcher', config: files } },
          allowed_grpc_services: { 'dns:///x': { channel_creds: [{ type: 'insecure' }] } },
          client_default_listener_resource_name_template: 'l/%s',
          server_listener_resource_name_template: 's/%s',
          by_mistake: { password: 'x' },
        }),
      ),
      switches,
    );
    if (!bootstrap.ok) throw new Error(bootstrap.message);
    const text = JSON.stringify(effectiveBootstrap(bootstrap.bootstrap, false));
    expect(text).not.toContain('password');
    const replayed = readBootstrap(new TextEncoder().encode(text), switches);
    if (!replayed.ok) throw new Error(replayed.message);
    const withoutPositions = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, one) =>
          key === 'start' || key === 'end' ? undefined : one instanceof Map || one instanceof Set ? [...one] : one,
        ),
      );
    expect(withoutPositions(replayed.bootstrap)).toEqual(withoutPositions(bootstrap.bootstrap));
  });
});

describe('docs/recording.md', () => {
  it('has an example that can be replayed, and a row for every kind of line', () => {
    const page = readFileSync(join(ROOT, 'docs/recording.md'), 'utf8');
    const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] as string;
    const { events } = replayText(example);
    expect(events.filter(({ kind }) => kind === 'response')).toMatchObject([
      { version: '1' },
      { version: '2', nonce: '2' },
    ]);
    const kinds = read(example).map((line) => (line.kind === 'input' ? line.input.kind : line.kind));
    for (const kind of kinds) expect(kind === 'header' || page.includes(`\`${kind}\``), kind).toBe(true);
    const [header] = read(example);
    for (const name of Object.keys((header as { header: object }).header)) expect(page).toContain(`\`${name}\``);
  });
});
