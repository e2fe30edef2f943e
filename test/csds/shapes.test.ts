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
function resourceText(resource: ResourceStatus): string {
  const { type, name, version, error, sync } = resource;
  const rejectedVersion = error?.version == null ? '' : ` (${error.version})`;
  const sent = sync == null ? '' : ` ${sync}`;
  return `${type} ${name} ${resource.status}${sent}${version === null ? '' : ` ${version}`}${rejectedVersion}${error === null ? '' : `: ${error.message}`}`;
}

const rows = (name: string, client = 0): string[] => read(name)[client]?.resources.map(resourceText) ?? [];

describe('reading a CSDS response', () => {
  it('reads every state of a resource from C-core', () => {
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

  it('reads Go: year 1 means no time, and a deleted resource has no error', () => {
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

  it('reads Java: a resource is UNKNOWN before it is requested', () => {
    expect(rows('java').slice(2)).toEqual(['CDS blue UNKNOWN', 'EDS blue DOES_NOT_EXIST: does not exist']);
    // The response does not contain the cluster, so the outcome of RPCs is unknown.
    expect(read('java')[0]?.channels).toEqual([]);
  });

  it('reads Node: types without a prefix, no scope, and the cached resource in the field of the rejected one', () => {
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

  it('reads the sync status of each client from a control plane', () => {
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

  it('reads the older form: one dump per type, with states of resources and of types', () => {
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

  it('reads resources of unknown types', () => {
    expect(rows('unknown-types')).toEqual([
      ' nameless REQUESTED',
      'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret key ACKED 5',
      'type.googleapis.com/made.up.v1.Thing thing ACKED 6',
    ]);
  });

  it('reads states without contents, and then reports no channels', () => {
    expect(rows('without-contents')).toEqual(['LDS greeter ACKED 1', 'RDS routes ACKED 1']);
    expect(read('without-contents')[0]?.channels).toEqual([]);
  });

  it('reads a response without clients', () =>
    expect(readClientStatus(dumpBytes('none'))).toEqual({ clients: [], problems: [] }));
});

describe('recorded CSDS of real applications with the same control plane', () => {
  const NACK_MESSAGES: Record<string, (name: string) => string> = {
    'c-core': () => 'invalid resource: errors validating Cluster resource: [field:type error:unknown discovery type]',
    go: (name) =>
      `unsupported cluster type (STATIC, <nil>) in response: name:"${name}" type:STATIC eds_cluster_config:{eds_config:{ads:{} resource_api_version:V3}} connect_timeout:{seconds:5}`,
    java: (name) =>
      `CDS response Cluster '${name}' validation error: Cluster ${name}: unsupported built-in discovery type: STATIC`,
    node: () => 'Cluster message validation failed: [Unsupported type STATIC]',
  };
  for (const [language, message] of Object.entries(NACK_MESSAGES)) {
    it(`is read from ${language}`, () => {
      const notAcked = read(`live/${language}`).flatMap(({ resources }) =>
        resources.filter(({ status }) => status !== 'ACKED').map((one) => resourceText(one).replace(/ {2,}/g, ' ')),
      );
      // Node has one client for all targets, so all targets share a version.
      const version = language === 'node' ? '(2)' : '(1)';
      expect(notAcked.sort()).toEqual([
        `CDS kept NACKED 1 (2): ${message('kept')}`,
        `CDS refused NACKED ${version}: ${message('refused')}`,
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

describe('scopeKind (D17)', () => {
  const SPELLINGS: [spelled: string, scope: string, authority: string | undefined][] = [
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
  for (const [spelled, scope, authority] of SPELLINGS) {
    it(`normalizes client_scope ${spelled || '(none)'} to ${scope || '(none)'}`, () => {
      const kind = scopeKind(spelled);
      expect(kind.scope).toBe(scope);
      expect('dataPlaneAuthority' in kind ? kind.dataPlaneAuthority : undefined).toBe(authority);
    });
  }

  it('does not merge clients with the same scope', () => {
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

describe('a malformed CSDS response', () => {
  const whole = dumpBytes('scopes');

  it('is read up to the malformed part', () => {
    const { clients, problems } = readClientStatus(whole.subarray(0, whole.length - 3));
    expect(clients).toHaveLength(6);
    expect(problems).toEqual([expect.stringMatching(/^the response is malformed: length reaches past the end/)]);
  });

  it('is read without its malformed resources', () => {
    const bytes = dumpBytes('c-core').slice();
    // Makes the first byte of a name invalid UTF-8.
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
