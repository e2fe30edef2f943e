import { describe, expect, it } from 'vitest';
import { readClientStatus } from '../../src/csds/read-client-status.js';
import { scopeKind } from '../../src/csds/scope-kind.js';
import { remoteStatuses } from '../../src/view/remote-status.js';
import { type ResourceStatus, type ScopeStatus, stateOf } from '../../src/view/status.js';
import { dumpBytes, followed } from './dumps.js';

function read(name: string): ScopeStatus[] {
  return remoteStatuses([{ address: 'a', clients: followed(dumpBytes(name)) }], () => true);
}

/** `CDS blue NACKED 1 (2): details` */
function words(resource: ResourceStatus): string {
  const { type, name, version, error, sync } = resource;
  const refused = error?.version == null ? '' : ` (${error.version})`;
  const sent = sync == null ? '' : ` ${sync}`;
  return `${type} ${name} ${resource.status}${sent}${version === null ? '' : ` ${version}`}${refused}${error === null ? '' : `: ${error.message}`}`;
}

const rows = (name: string, client = 0): string[] => read(name)[client]?.resources.map(words) ?? [];

describe('another client, as its CSDS tells it', () => {
  it('C-core: every state of a resource', () => {
    expect(rows('c-core')).toEqual([
      'LDS greeter ACKED 1',
      'RDS asked REQUESTED',
      'RDS routes ACKED 1',
      'CDS blue NACKED 1 (2): invalid resource: errors validating Cluster resource: [field:lb_policy error:LB policy is not supported]',
      'CDS old DOES_NOT_EXIST 1 (2): does not exist',
      'CDS red RECEIVED_ERROR (2): not for you',
      'EDS blue ACKED 3',
      'EDS gone DOES_NOT_EXIST: does not exist',
      'EDS slow TIMEOUT: timeout obtaining resource from xDS server xds.example',
    ]);
    const [scope] = read('c-core');
    expect(scope).toMatchObject({
      scope: 'xds:///greeter',
      remote: { clientScope: 'xds:/greeter', node: 'n1' },
      channels: [{ target: 'xds:///greeter', dataPlaneAuthority: 'greeter', config: 'published' }],
      settled: false,
    });
    const [errors] = [scope?.resources.map(({ name, error }) => [name, error?.code, error?.cause, error?.at])];
    expect(errors).toContainEqual(['red', null, 'server-error', '2026-08-20T10:00:05Z']);
    expect(errors).toContainEqual(['old', 'NOT_FOUND', 'deletion', '2026-08-20T10:00:05Z']);
    expect(errors).toContainEqual(['gone', 'NOT_FOUND', 'timer', null]);
  });

  it('Go: year 1 is no time, and what is deleted has no error', () => {
    expect(rows('go')).toEqual([
      'LDS greeter ACKED 1',
      'RDS routes DOES_NOT_EXIST: does not exist',
      'CDS blue NACKED 1 (2): xds: invalid cluster',
      'EDS blue REQUESTED',
    ]);
    const [scope] = read('go');
    expect(scope?.resources.find(({ name, type }) => type === 'EDS' && name === 'blue')?.lastUpdated).toBeNull();
    expect(scope?.channels).toMatchObject([
      { config: 'error', error: 'RDS resource routes: does not exist (node ID:n1)' },
    ]);
  });

  it('Java: UNKNOWN before it has asked', () => {
    expect(rows('java').slice(2)).toEqual(['CDS blue UNKNOWN', 'EDS blue DOES_NOT_EXIST: does not exist']);
    // What it has of the cluster is not told, so that nothing is said about RPCs.
    expect(read('java')[0]?.channels).toEqual([]);
  });

  it('Node: types without a prefix, no scope, and what stays in use in the place of what was refused', () => {
    expect(rows('node')).toEqual([
      'LDS cart ACKED 1',
      'LDS greeter ACKED 1',
      'RDS routes NACKED 1 (2): bad routes',
      'CDS blue ACKED 1',
      'CDS gone DOES_NOT_EXIST: does not exist',
      'EDS blue ACKED 1',
    ]);
    const [scope] = read('node');
    expect(scope?.resources[2]?.detail).toBe('1 route in 1 virtual host');
    expect(scope?.channels.map(({ target, config }) => [target, config])).toEqual([
      ['xds:///greeter', 'published'],
      ['xds:///cart', 'published'],
    ]);
  });

  it('a control plane: its view of each client, in its own words', () => {
    expect(rows('control-plane')).toEqual([
      'LDS 0.0.0.0_15006 UNKNOWN SYNCED 9',
      'RDS 80 UNKNOWN ERROR',
      'CDS c UNKNOWN STALE',
      'EDS c UNKNOWN NOT_SENT',
    ]);
    expect(rows('control-plane', 1)).toEqual(['CDS c UNKNOWN SYNCED']);
    const [scope] = read('control-plane');
    expect(scope?.resources.map(stateOf)).toEqual(['SYNCED', 'ERROR', 'STALE', 'NOT_SENT']);
    expect(scope?.counts).toEqual({ SYNCED: 1, ERROR: 1, STALE: 1, NOT_SENT: 1 });
    expect(scope?.resources[0]?.detail).toMatch(/^C-core would reject this: /);
  });

  it('the older shape: a dump a type, with states of single resources and of whole types', () => {
    expect(rows('per-type')).toEqual([
      'LDS fixed ACKED SYNCED',
      'LDS gone DOES_NOT_EXIST SYNCED: does not exist',
      'LDS greeter ACKED SYNCED 1',
      'LDS warm ACKED SYNCED 2',
      'RDS own UNKNOWN STALE',
      'RDS routes NACKED STALE 1 (2): bad routes',
      'CDS blue ACKED SYNCED 1',
      'CDS green UNKNOWN SYNCED 2',
      'CDS xds UNKNOWN SYNCED',
      'EDS blue ACKED NOT_SENT 1',
      'EDS local UNKNOWN NOT_SENT',
      'type.googleapis.com/envoy.config.route.v3.ScopedRouteConfiguration inline NACKED ERROR: ',
      'type.googleapis.com/envoy.config.route.v3.ScopedRouteConfiguration scoped NACKED ERROR 4: ',
    ]);
    const details = read('per-type')[0]?.resources.map(({ detail }) => detail);
    expect(details?.[0]).toBe('static, routes in routes');
    expect(details?.[3]).toBe('warming, routes in routes');
  });

  it('types that nobody knows', () => {
    expect(rows('unknown-types')).toEqual([
      ' nameless REQUESTED',
      'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret key ACKED 5',
      'type.googleapis.com/made.up.v1.Thing thing ACKED 6',
    ]);
  });

  it('without contents: states, and nothing about RPCs', () => {
    expect(rows('without-contents')).toEqual(['LDS greeter ACKED 1', 'RDS routes ACKED 1']);
    expect(read('without-contents')[0]?.channels).toEqual([]);
  });

  it('none', () => expect(readClientStatus(dumpBytes('none'))).toEqual({ clients: [], problems: [] }));
});

describe('what real applications told of the same control plane', () => {
  const TOLD: Record<string, (refused: string) => string> = {
    'c-core': () => 'invalid resource: errors validating Cluster resource: [field:type error:unknown discovery type]',
    go: (name) =>
      `unsupported cluster type (STATIC, <nil>) in response: name:"${name}" type:STATIC eds_cluster_config:{eds_config:{ads:{} resource_api_version:V3}} connect_timeout:{seconds:5}`,
    java: (name) =>
      `CDS response Cluster '${name}' validation error: Cluster ${name}: unsupported built-in discovery type: STATIC`,
    node: () => 'Cluster message validation failed: [Unsupported type STATIC]',
  };
  for (const [language, says] of Object.entries(TOLD)) {
    it(language, () => {
      const told = read(`live/${language}`).flatMap(({ resources }) =>
        resources.filter(({ status }) => status !== 'ACKED').map((one) => words(one).replace(/ {2,}/g, ' ')),
      );
      // Node has one client for all targets, so that a version is one of all.
      const refused = language === 'node' ? '(2)' : '(1)';
      expect(told.sort()).toEqual([
        `CDS kept NACKED 1 (2): ${says('kept')}`,
        `CDS refused NACKED ${refused}: ${says('refused')}`,
        'EDS two REQUESTED',
        'LDS ghost REQUESTED',
        `LDS gone DOES_NOT_EXIST${language === 'c-core' ? ' (2)' : ''}: does not exist`,
      ]);
      const channels = read(`live/${language}`).flatMap((scope) => scope.channels);
      expect(channels.map(({ target, config }) => `${target} ${config}`).sort()).toEqual([
        'xds:///cart published',
        'xds:///ghost withheld',
        'xds:///gone error',
        'xds:///greeter published',
        'xds:///kept published',
        'xds:///lonely withheld',
      ]);
    });
  }
});

describe('client_scope, in any spelling (D17)', () => {
  const MEANINGS: [spelled: string, scope: string, authority: string | undefined][] = [
    ['xds:/greeter', 'xds:///greeter', 'greeter'],
    ['xds:greeter', 'xds:///greeter', 'greeter'],
    ['xds:///greeter', 'xds:///greeter', 'greeter'],
    ['XDS:///greeter', 'xds:///greeter', 'greeter'],
    ['xds:/greeter?a=b', 'xds:///greeter', 'greeter'],
    ['xds://auth/greeter', 'xds://auth/greeter', 'greeter'],
    ['xds:///a%20b', 'xds:///a%20b', 'a%20b'],
    ['#server', '#server', undefined],
    ['', '', undefined],
    ['not a uri', 'not a uri', 'not a uri'],
  ];
  for (const [spelled, scope, authority] of MEANINGS) {
    it(`${spelled || '(none)'} means ${scope || 'nothing'}`, () => {
      const meaning = scopeKind(spelled);
      expect(meaning.scope).toBe(scope);
      expect('dataPlaneAuthority' in meaning ? meaning.dataPlaneAuthority : undefined).toBe(authority);
    });
  }

  it('each client stays one of its own', () => {
    expect(read('scopes').map(({ scope }) => scope)).toEqual([
      'xds:///greeter',
      'xds:///greeter',
      'xds:///greeter',
      'xds://auth/greeter',
      '#server',
      '',
      'not a uri',
    ]);
  });
});

describe('an answer that is broken', () => {
  const whole = dumpBytes('scopes');

  it('is read up to where it breaks off', () => {
    const { clients, problems } = readClientStatus(whole.subarray(0, whole.length - 3));
    expect(clients).toHaveLength(6);
    expect(problems).toEqual([expect.stringMatching(/^the answer breaks off: length reaches past the end/)]);
  });

  it('is read but for what cannot be', () => {
    const bytes = dumpBytes('c-core').slice();
    // The first letter of a name is no UTF-8 any more.
    bytes[Buffer.from(bytes).indexOf('slow')] = 0xff;
    const { clients, problems } = readClientStatus(bytes);
    expect(clients[0]?.resources.map(({ name }) => name)).toEqual([
      'gone',
      'blue',
      'greeter',
      'blue',
      'red',
      'old',
      'routes',
      'asked',
    ]);
    expect(problems).toEqual([
      expect.stringMatching(/^1 part of client_scope "xds:\/greeter" cannot be read: .*UTF-8/i),
    ]);
  });
});
