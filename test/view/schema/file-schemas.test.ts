import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import recorded from '../../../fixtures/bootstrap/c-core.json' with { type: 'json' };
import { SERVER_FEATURES } from '../../../src/bootstrap/bootstrap.js';
import { readContexts } from '../../../src/bootstrap/contexts/read-contexts.js';
import { KNOWN_KEYS } from '../../../src/bootstrap/lint/keys.js';
import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.js';
import { KNOWN_CREDS } from '../../../src/bootstrap/read-creds.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { readScenario } from '../../../src/scenario/read-scenario.js';
import { GOOD } from '../../inspect/expect/files.js';
import { ROOT } from '../../support/root.js';

type Node = Record<string, unknown>;

/** What is read with all features of gRPC enabled: the schema also describes those that are off by default. */
const SWITCHES = {
  ...{ federation: true, dataErrorHandling: true, callCreds: true, extProcOnClient: true },
  ...{ mtlsSpiffe: true, fallback: true, endpointFallback: true },
};

interface Kind {
  /** Files with every key of the schema. */
  files: unknown[];
  /** Returns the messages of the reader's problems. */
  problemsOf(text: string): string[];
  /** Problems of references between parts of a file, and of the contents of resources. */
  beyond: RegExp;
}

const messagesOf = (problems: readonly { message: string }[]): string[] => problems.map(({ message }) => message);

const INSECURE = [{ type: 'insecure' }];
const FILES = { certificate_file: 'a', private_key_file: 'b', ca_certificate_file: 'c', spiffe_bundle_map_file: 'd' };

const KINDS: Record<string, Kind> = {
  bootstrap: {
    files: [
      {
        xds_servers: [
          {
            server_uri: 'a:1',
            channel_creds: [{ type: 'tls', config: { ...FILES, refresh_interval: '5s' } }, ...INSECURE],
            call_creds: [{ type: 'jwt_token_file', config: { jwt_token_file: 'a' } }],
            server_features: ['fail_on_data_errors', 7],
          },
        ],
        node: {
          ...{ id: 'a', cluster: 'b', locality: { region: 'r', zone: 'z', sub_zone: 's' }, metadata: { a: 1 } },
          ...{ user_agent_name: 'x', user_agent_version: 'x', user_agent_build_version: {}, client_features: [] },
          ...{ build_version: 'x', extensions: [], listening_addresses: [], dynamic_parameters: {} },
        },
        authorities: {
          a: {
            client_listener_resource_name_template: 'xdstp://a/x',
            xds_servers: [{ server_uri: 'b:1', channel_creds: INSECURE }],
            fallback_on_reachability_only: true,
          },
        },
        client_default_listener_resource_name_template: '%s',
        server_listener_resource_name_template: '%s',
        certificate_providers: { p: { plugin_name: 'file_watcher', config: { ...FILES, refresh_interval: '600.5s' } } },
        allowed_grpc_services: { 'x:1': { channel_creds: INSECURE, call_creds: [] } },
      },
    ],
    problemsOf: (text) => {
      const read = readBootstrap(new TextEncoder().encode(text), SWITCHES);
      return read.ok ? [] : [read.message];
    },
    beyond: /field must begin with "xdstp:/,
  },
  contexts: {
    files: [
      {
        version: 1,
        contexts: {
          a: {
            ...{ server: 'h:1', cacert: 'c', cert: 'c', key: 'k', node_id: 'n', node_metadata: { a: 'b' } },
            ...{ user_agent: 'u', default_authority: 'x', as: 'cpp', targets: ['a'] },
            csds: {
              ...{ addresses: ['h:1'], insecure: true, cacert: 'c', cert: 'c', key: 'k', authority: 'x' },
              token_file: 't',
            },
          },
          b: { server: 'h:1', plaintext: true },
          d: {
            ...{
              kube: 'n/svc/p:1',
              kube_context: 'k',
              kubeconfig: 'f',
              insecure: true,
              authority: 'x',
              token_file: 't',
            },
            ...{ xds_headers: { 'x-a': 'b' }, node_cluster: 'c', node_locality: 'r/z/s' },
            csds: { addresses: ['kube:svc/p:1'], kube_context: 'k', kubeconfig: 'f', xds_headers: { 'x-a': 'b' } },
          },
          c: { bootstrap: 'b', csds: { addresses: ['h:1'], plaintext: true } },
        },
      },
    ],
    problemsOf: (text) => {
      const read = readContexts(text);
      return read.ok ? [] : messagesOf(read.problems);
    },
    beyond: /^not an xDS target/,
  },
  scenario: {
    files: [
      {
        title: 't',
        node: 'n',
        resources: {
          a: { '@type': 'CDS', name: 'a' },
          f: { file: 'x.json' },
          b: { type: 'CDS', base64: 'AA==', name: 'n' },
        },
        servers: {
          p: {
            state: 'listening',
            serves: [
              {
                ...{ type: 'CDS', version: '1', errors: [{ name: 'x', code: 'NOT_FOUND', message: 'm' }] },
                resources: ['a', { wrap: 'a', name: 'n', version: '1', ttl: '1s' }],
              },
            ],
            on: [
              {
                ...{ request: 'EDS', names: ['a'], version: '1', nonce: 'n', is: 'nack', error: 'e', times: 1 },
                do: [
                  { send: { type: 'EDS', version: '1', nonce: 'n', resources: [], errors: [], padding: 5 } },
                  { close: 'UNAVAILABLE' },
                ],
              },
            ],
          },
        },
        authorities: { x: ['p'] },
        steps: [
          { server: 'p', stream: 1, send: { type: 'CDS' } },
          { sendBytes: 'AA==' },
          { close: { code: 'OK', message: 'm' } },
          { wait: '1s' },
          { set: { type: 'CDS' } },
          { state: 'silent' },
          { reject: 'UNAVAILABLE' },
          { accept: true },
          { reads: 'hold' },
          { say: 'x' },
          {
            server: 'p',
            expect: {
              ...{ request: 'CDS', names: ['a'], version: '1', nonce: 'n', is: 'ack', error: 'e' },
              ...{ absent: true, within: '1s' },
            },
          },
          { expect: { stream: 'opened', absent: false, within: '1s' } },
        ],
      },
    ],
    problemsOf: (text) => {
      const read = readScenario(text, () => ({ text: '{"@type": "CDS"}' }));
      return read.ok ? [] : messagesOf(read.problems);
    },
    beyond:
      /^no (resource|server) "|^unknown field in envoy|^expected a string, got .*quotes$|^expected a string, got a/,
  },
  expectations: {
    files: [
      {
        ...{ kube: 'n/svc/p:1', kube_context: 'k', kubeconfig: 'f', insecure: true, authority: 'x', token_file: 't' },
        xds_headers: { 'x-a': 'b' },
        targets: [
          {
            target: 'a',
            ...{ kube: 'svc/p:1', kube_context: 'k', kubeconfig: 'f', insecure: true, authority: 'x', token_file: 't' },
            xds_headers: { 'x-a': 'b' },
          },
        ],
      },

      ...GOOD.map(([, text]) => parse(text)),
      { targets: [{ target: 'a', resources: { 'CDS/a': { error: { code: 'NOT_FOUND', message: 'x' } } } }] },
    ],
    problemsOf: (text) => {
      const read = readExpectations(text);
      return read.ok ? [] : messagesOf(read.problems);
    },
    beyond: /^\w+ has no field "|^a binary header value must be base64/,
  },
};

const UNKNOWN = 'a_key_that_no_file_has';
const VALUES: unknown[] = [null, true, false, 7, -1, 1.5, '', 'x', [], {}, ['x'], [null], { x: 1 }];

/** Every file that differs in one place: another value, a missing key, an unknown key. */
function* mutationsOf(value: unknown): Generator<{ what: string; file: unknown }> {
  if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) {
      for (const other of VALUES) yield { what: `[${i}] = ${JSON.stringify(other)}`, file: value.with(i, other) };
      for (const { what, file } of mutationsOf(element)) yield { what: `[${i}]${what}`, file: value.with(i, file) };
    }
  } else if (typeof value === 'object' && value !== null) {
    yield { what: ` with ${UNKNOWN}`, file: { ...value, [UNKNOWN]: 1 } };
    for (const [key, element] of Object.entries(value)) {
      const { [key]: _, ...others } = value as Node;
      yield { what: ` without ${key}`, file: others };
      for (const other of VALUES)
        yield { what: `.${key} = ${JSON.stringify(other)}`, file: { ...value, [key]: other } };
      for (const { what, file } of mutationsOf(element))
        yield { what: `.${key}${what}`, file: { ...value, [key]: file } };
    }
  }
}

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}

/** The names of all properties in a schema. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, inner]) => [
    ...(keyword === 'properties' ? Object.keys(inner as Node) : []),
    ...propertiesOf(inner),
  ]);
}

/** Replaces the unknown key of a mutation. */
function withKey(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withKey(one, key));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name === UNKNOWN ? key : name, withKey(inner, key)]);
  return Object.fromEntries(entries);
}

const read = (name: string): Node => JSON.parse(readFileSync(join(ROOT, `docs/schemas/${name}.schema.json`), 'utf8'));

describe.each(Object.entries(KINDS))('the schema of %s', (name, { files, problemsOf, beyond }) => {
  const schema = read(name);
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);

  it('accepts and refuses the same files as the reader, for every mutation of files with every key', () => {
    let count = 0;
    for (const original of files) {
      expect([problemsOf(JSON.stringify(original)), validate(original)]).toEqual([[], true]);
      for (const { what, file } of mutationsOf(original)) {
        count++;
        const problems = problemsOf(JSON.stringify(file));
        const isAccepted = validate(file);
        if (isAccepted && problems.length > 0 && problems.every((problem) => beyond.test(problem))) continue;
        expect({ isAccepted, what, problems }).toEqual({ isAccepted: problems.length === 0, what, problems });
      }
    }
    expect(count).toBeGreaterThan(400);
  });

  it('has no key that the files above lack', () => {
    const keys = new Set(files.flatMap(keysOf));
    expect(propertiesOf(schema).filter((key) => !keys.has(key))).toEqual([]);
  });

  it('has every key that the reader lists when a key is unknown', () => {
    for (const original of files) {
      for (const { what, file } of mutationsOf(original)) {
        if (!what.endsWith(UNKNOWN)) continue;
        const listed = problemsOf(JSON.stringify(file)).flatMap((problem) => {
          return /^unknown key: expected (.*)/.exec(problem)?.[1]?.split(', ') ?? [];
        });
        for (const key of listed) {
          validate(withKey(file, key));
          const unknown = (validate.errors ?? []).map(({ params }) => params.additionalProperty);
          expect(unknown, what).not.toContain(key);
        }
      }
    }
  });

  it('has an identifier, a title and a draft', () => {
    expect(schema).toMatchObject({ $schema: expect.stringContaining('draft-07'), title: expect.any(String) });
    expect(schema.$id).toBe(`urn:xds-inspect:schema:${name}`);
  });
});

describe('the schema of bootstraps', () => {
  const { definitions, ...top } = read('bootstrap') as { definitions: Record<string, Node> };
  const validate = new Ajv({ strictTypes: true, strictTuples: true }).compile({ ...top, definitions });
  const keys = (schema: unknown): string[] => Object.keys((schema as { properties: Node }).properties).sort();
  const known = (kind: keyof typeof KNOWN_KEYS): string[] => [...KNOWN_KEYS[kind]].sort();

  it('has the keys that the lint of bootstraps knows', () => {
    const { server, node, authority, provider, channelCredsEntry } = definitions;
    expect(keys(top)).toEqual(known('top'));
    expect(keys(server)).toEqual(known('server'));
    expect(keys(authority)).toEqual(known('authority'));
    expect(keys(provider)).toEqual(known('provider'));
    expect(keys(channelCredsEntry)).toEqual(known('creds'));
    expect(keys((node as { properties: Node }).properties.locality)).toEqual(known('locality'));
    expect(keys(node)).toEqual(expect.arrayContaining(known('node')));
  });

  it('suggests the features and the credentials that gRPC knows', () => {
    const { server_features: features } = (definitions.server as { properties: Record<string, Node> }).properties;
    expect(features?.items).toEqual({ examples: [...SERVER_FEATURES] });
    const text = JSON.stringify([...KNOWN_CREDS]);
    expect(JSON.stringify(definitions.channelCreds)).toContain(`"enum":${text}`);
    expect(JSON.stringify(definitions.channelCredsEntry)).toContain(`"examples":${text}`);
  });

  it('says of other keys that gRPC ignores them', () => {
    expect(definitions.ignored).toEqual({ description: 'gRPC ignores this field.' });
    expect(validate({ xds_servers: [{ server_uri: 'a', channel_creds: INSECURE, x: 1 }], y: 1 })).toBe(true);
  });

  it('agrees with the reader on the bootstraps that C-core was recorded with', () => {
    // What a JSON Schema cannot express.
    const beyond = /^(json-dup|json-depth|srv-tls-dur6|auth-template)/;
    let count = 0;
    for (const { id, config } of recorded.cases as { id: string; config: string }[]) {
      if (beyond.test(id)) continue;
      let value: unknown;
      try {
        value = JSON.parse(config);
      } catch {
        continue;
      }
      count++;
      const isAccepted = readBootstrap(new TextEncoder().encode(config), SWITCHES).ok;
      expect({ id, isAccepted: validate(value) }).toEqual({ id, isAccepted });
    }
    expect(count).toBeGreaterThan(140);
  });
});
