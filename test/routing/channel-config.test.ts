import { describe, expect, it } from 'vitest';
import { type ChannelConfig, ChannelConfigs, pickFailure } from '../../src/routing/channel-config.js';
import { childNumbers } from '../../src/routing/child-numbers.js';
import type { CallConfig } from '../../src/routing/config-selector.js';
import { priorityConfig } from '../../src/routing/service-config.js';
import { Follow, json } from '../deps/follow.js';
import { acceptedJson } from '../resources/validate.js';

const CALL = { path: '/s/m', metadata: [] };

/** A channel over a dependency manager, with the configurations that are applied to it, in order. */
class Channel {
  readonly applied: ChannelConfig[] = [];
  readonly run: Follow;
  readonly configs: ChannelConfigs;

  constructor(...clusters: string[]) {
    this.run = Follow.complete(...clusters);
    this.configs = new ChannelConfigs(
      (config) => this.applied.push(config),
      this.run.manager,
      () => 0,
    );
    this.configs.update(this.run.manager.applied);
  }

  /** Sends routes that name other clusters, with all their resources. */
  route(...clusters: string[]): void {
    this.run.get('RDS', 'r', json.routes(...clusters));
    for (const name of clusters) {
      if (this.run.watches.includes(`EDS ${name}`)) continue;
      this.run.get('CDS', name, json.eds(name)).get('EDS', name, json.endpoints(name));
    }
    this.configs.update(this.run.manager.applied);
    this.run.manager.processUpdates();
  }

  get now(): ChannelConfig {
    return this.applied.at(-1) as ChannelConfig;
  }

  get children(): string[] {
    const config = this.now.serviceConfig as {
      loadBalancingConfig?: { xds_cluster_manager_experimental: { children: object } }[];
    };
    return Object.keys(config.loadBalancingConfig?.[0]?.xds_cluster_manager_experimental.children ?? {}).sort();
  }

  rpc(): Exclude<CallConfig, { status: unknown }> {
    const call = this.now.selector?.select(CALL);
    if (call === undefined || 'status' in call) throw new Error('no cluster was selected for the RPC');
    return call;
  }
}

describe('a config selector (A31)', () => {
  it('returns a method config and a key for the picker, or a status', () => {
    const channel = new Channel('a');
    const call = channel.now.selector?.select(CALL, 5000);
    expect(call).toMatchObject({
      methodConfig: { timeoutMs: 5000, retryPolicy: undefined },
      pick: { key: 'cluster:a' },
    });
    channel.run.get('RDS', 'r', json.routesFor('*'));
    channel.configs.update(channel.run.manager.applied);
    expect(channel.now.selector?.select(CALL)).toEqual({
      status: { code: 14, message: 'No matching route found in xDS route config' },
    });
  });

  it('is applied with a service config that has all its keys; the picker fails other keys with INTERNAL', () => {
    const channel = new Channel('a');
    channel.route('b', 'c');
    for (const config of channel.applied) {
      for (const key of config.selector?.keys ?? []) expect(pickFailure(key, config)).toBeUndefined();
    }
    expect(pickFailure('cluster:x', channel.now)).toEqual({
      code: 13,
      message: 'xds cluster manager picker: unknown cluster "cluster:x"',
    });
  });

  it('selects once: retries of an RPC stay on its cluster after the routes change', () => {
    const channel = new Channel('a');
    const rpc = channel.rpc();
    channel.route('b');
    expect(rpc.pick.key).toBe('cluster:a');
    expect(pickFailure(rpc.pick.key, channel.now)).toBeUndefined();
    expect(channel.rpc().pick.key).toBe('cluster:b');
  });
});

const RLS = {
  '@type': 'type.googleapis.com/grpc.lookup.v1.RouteLookupClusterSpecifier',
  route_lookup_config: {
    grpc_keybuilders: [{ names: [{ service: 's', method: 'm' }] }],
    lookup_service: 'rls',
    lookup_service_timeout: '1s',
    cache_size_bytes: 1024,
  },
};

/** Routes whose only route has this action. */
const routesWith = (action: object): object => ({
  name: 'r',
  cluster_specifier_plugins: [{ extension: { name: 'p', typed_config: RLS } }],
  virtual_hosts: [{ domains: ['*'], routes: [{ match: { prefix: '' }, ...action }] }],
});

describe('a route without a cluster', () => {
  function channelWith(action: object): Channel {
    const channel = new Channel('a');
    channel.run.get('RDS', 'r', routesWith(action));
    channel.configs.update(channel.run.manager.applied);
    channel.run.manager.processUpdates();
    return channel;
  }

  it('fails RPCs if its action is not supported', () => {
    expect(channelWith({ redirect: {} }).now.selector?.select(CALL)).toEqual({
      status: { code: 14, message: 'Matching route has inappropriate action' },
    });
  });

  it('has a child with the config of its plugin, and watches no cluster of that name', () => {
    const channel = channelWith({ route: { cluster_specifier_plugin: 'p' } });
    expect(channel.rpc().pick.key).toBe('cluster_specifier_plugin:p');
    expect(channel.now.serviceConfig).toMatchObject({
      loadBalancingConfig: [
        {
          xds_cluster_manager_experimental: {
            children: {
              'cluster_specifier_plugin:p': {
                childPolicy: [{ rls_experimental: { routeLookupConfig: { lookupService: 'rls' } } }],
              },
            },
          },
        },
      ],
    });
    expect(channel.run.watches).toEqual(['LDS l', 'RDS r']);
  });
});

describe('a cluster that routes no longer name', () => {
  it('is first no longer selected, then removed with its last RPC', () => {
    const channel = new Channel('a');
    const [one, other] = [channel.rpc(), channel.rpc()];
    channel.route('b');
    expect(channel.now.selector?.keys).toEqual(['cluster:b']);
    expect(channel.children).toEqual(['cluster:a', 'cluster:b']);
    expect(channel.run.watches).toContain('CDS a');
    one.commit();
    one.commit();
    expect(channel.children).toEqual(['cluster:a', 'cluster:b']);
    other.commit();
    channel.run.manager.processUpdates();
    expect(channel.children).toEqual(['cluster:b']);
    expect(channel.run.watches).not.toContain('CDS a');
  });

  it('is removed at once if no RPC uses it; new clusters arrive with their selector', () => {
    const channel = new Channel('a');
    channel.route('b');
    expect(channel.children).toEqual(['cluster:b']);
    const mixed = channel.applied.map(({ selector }) => selector?.keys.join());
    expect(mixed).toEqual(['cluster:a', 'cluster:b', 'cluster:b']);
  });

  it('does not delay an error of the listener: RPCs fail at once (R9.10)', () => {
    const channel = new Channel('a');
    channel.rpc();
    channel.run.fail('LDS', 'l');
    channel.configs.update(channel.run.manager.applied);
    expect(channel.now).toEqual({ serviceConfig: {}, selector: undefined });
    expect(channel.applied).toHaveLength(2);
  });

  it('stays while the selector references it, after its last RPC', () => {
    const channel = new Channel('a');
    channel.route('b');
    const count = channel.applied.length;
    const rpc = channel.rpc();
    rpc.commit();
    expect(channel.applied).toHaveLength(count);
    expect(channel.children).toEqual(['cluster:b']);
  });
});

describe('the service config', () => {
  it('has a child for every cluster, and the cds policy has one for every priority', () => {
    const channel = new Channel('a');
    expect(channel.now.serviceConfig).toEqual({
      loadBalancingConfig: [
        {
          xds_cluster_manager_experimental: {
            children: { 'cluster:a': { childPolicy: [{ cds_experimental: { cluster: 'a' } }] } },
          },
        },
      ],
    });
    const child = (cluster: string) => ({
      config: [
        {
          xds_cluster_impl_experimental: {
            clusterName: cluster,
            childPolicy: [{ xds_wrr_locality_experimental: { childPolicy: [{ round_robin: {} }] } }],
          },
        },
      ],
      ignore_reresolution_requests: true,
    });
    expect(priorityConfig('a', channel.run.config)).toEqual({
      priority_experimental: {
        children: { '{cluster=a, child_number=0}': child('a') },
        priorities: ['{cluster=a, child_number=0}'],
      },
    });
    channel.run.get('RDS', 'r', json.routes('g')).get('CDS', 'g', json.aggregate('g', 'b', 'c'));
    channel.run.get('CDS', 'b', json.eds('b')).get('EDS', 'b', json.endpoints('b')).fail('CDS', 'c');
    expect(priorityConfig('g', channel.run.config)).toEqual({
      priority_experimental: {
        children: { '{cluster=b, child_number=0}': child('b') },
        priorities: ['{cluster=b, child_number=0}'],
      },
    });
  });

  it('keeps the names of children when localities move (A74)', () => {
    const endpoints = (...regions: string[][]) => {
      const resource = acceptedJson('EDS', {
        cluster_name: 'a',
        endpoints: regions.flatMap((list, priority) =>
          list.map((region) => ({ locality: { region }, load_balancing_weight: 1, priority })),
        ),
      });
      if (resource.type !== 'EDS') throw new Error('not endpoints');
      return resource.value;
    };
    const first = endpoints(['x'], ['y']);
    const numbers = childNumbers(first);
    expect(numbers).toEqual([0, 1]);
    // The priorities swap; a locality is added to one; a new priority becomes the first.
    expect(childNumbers(endpoints(['y'], ['x']), { numbers, priorities: first.priorities })).toEqual([1, 0]);
    expect(childNumbers(endpoints(['z', 'y']), { numbers, priorities: first.priorities })).toEqual([1]);
    expect(childNumbers(endpoints(['z'], ['x'], ['y']), { numbers, priorities: first.priorities })).toEqual([2, 0, 1]);
  });
});
