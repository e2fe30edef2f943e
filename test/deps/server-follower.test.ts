import { describe, expect, it } from 'vitest';
import type { InternalWatcher, WatcherUpdate } from '../../src/core/watcher.js';
import type { ConfigState } from '../../src/deps/config.js';
import { ServerFollower } from '../../src/deps/server-follower.js';
import { shortType } from '../../src/proto/resource-types.js';
import { acceptedJson } from '../resources/validate.js';
import { json } from './follow.js';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router';

function chain(routes: string): object {
  const manager = {
    '@type': HCM,
    http_filters: [{ name: 'r', typed_config: { '@type': ROUTER } }],
    rds: { route_config_name: routes, config_source: { ads: {} } },
  };
  return { filters: [{ name: 'h', typed_config: manager }] };
}

function server(routes: string, byDefault = routes, port = 80): object {
  return {
    name: 'l',
    address: { socket_address: { address: '127.0.0.1', port_value: port } },
    filter_chains: [
      { ...chain(routes), filter_chain_match: { prefix_ranges: [{ address_prefix: '10.0.0.0', prefix_len: 8 }] } },
    ],
    default_filter_chain: chain(byDefault),
  };
}

class Follow {
  readonly watched = new Map<string, InternalWatcher>();
  readonly published: ConfigState[] = [];
  readonly follower: ServerFollower;

  constructor() {
    const names = new Map<InternalWatcher, string>();
    this.follower = new ServerFollower('l', '127.0.0.1:80', {
      watch: (typeUrl, name) => {
        const watcher: InternalWatcher = { kind: 'internal' };
        names.set(watcher, `${shortType(typeUrl)} ${name}`);
        this.watched.set(`${shortType(typeUrl)} ${name}`, watcher);
        return watcher;
      },
      unwatch: (watcher) => {
        const name = names.get(watcher) as string;
        if (this.watched.get(name) === watcher) this.watched.delete(name);
      },
      resolve: () => 0,
      publish: (state) => this.published.push(state),
      setNeeds: () => {},
    });
  }

  notify(key: string, update: WatcherUpdate): this {
    this.follower.onUpdate(this.watched.get(key) as InternalWatcher, update);
    return this;
  }

  get(type: 'LDS' | 'RDS', name: string, resource: object): this {
    return this.notify(`${type} ${name}`, { kind: 'OnResourceChanged', resource: acceptedJson(type, resource) });
  }

  get watches(): string[] {
    return [...this.watched.keys()].sort();
  }
}

const routes = (name: string): object => ({ ...json.routes(), name });

describe('the follower of a server (A36)', () => {
  it('watches the listener and the routes of all filter chains, and publishes when all have arrived', () => {
    const run = new Follow().get('LDS', 'l', server('r1', 'r2'));
    expect(run.watches).toEqual(['LDS l', 'RDS r1', 'RDS r2']);
    expect(run.follower.isWithheld).toBe(true);
    run.get('RDS', 'r1', routes('r1'));
    expect(run.published).toEqual([]);
    run.notify('RDS r2', { kind: 'OnResourceChanged', error: { code: 5, message: 'does not exist' } });
    expect(run.published).toMatchObject([{ kind: 'served', listener: { address: '127.0.0.1:80' } }]);
    expect(run.follower.isWithheld).toBe(false);
  });

  it('keeps the previous listener until the routes of the new one have arrived', () => {
    const run = new Follow().get('LDS', 'l', server('r1')).get('RDS', 'r1', routes('r1')).get('LDS', 'l', server('r2'));
    expect(run.published).toHaveLength(1);
    expect(run.watches).toEqual(['LDS l', 'RDS r1', 'RDS r2']);
    run.get('RDS', 'r2', routes('r2'));
    expect(run.published).toHaveLength(2);
    expect(run.watches).toEqual(['LDS l', 'RDS r2']);
  });

  it('publishes an error if the listener is missing, an API listener, or has another address', () => {
    const run = new Follow().get('LDS', 'l', server('r1'));
    run.notify('LDS l', { kind: 'OnResourceChanged', error: { code: 5, message: 'does not exist' } });
    expect(run.published.at(-1)).toMatchObject({ kind: 'error', message: 'LDS resource l: does not exist' });
    expect(run.watches).toEqual(['LDS l']);
    run.get('LDS', 'l', json.listener('r'));
    expect(run.published.at(-1)).toMatchObject({ kind: 'error', message: 'LDS resource l is not a TCP listener' });
    run.get('LDS', 'l', server('r1', 'r1', 81));
    expect(run.published.at(-1)).toMatchObject({
      kind: 'error',
      message: 'LDS resource l address does not match listening address',
    });
  });

  it('ends all watches when it is closed', () => {
    const run = new Follow().get('LDS', 'l', server('r1', 'r2'));
    run.follower.close();
    expect(run.watches).toEqual([]);
  });
});
