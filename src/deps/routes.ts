import { clusterNamesOf } from '../resources/references.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';
import type { VirtualHost, XdsConfig } from './config.js';
import type { ManagerOptions } from './manager-options.js';
import { findVirtualHost } from './virtual-host.js';

export interface Routes {
  /** '' if they are inline in the listener. */
  name: string;
  config: RouteConfigResource;
  virtualHost: VirtualHost;
  clusters: ReadonlySet<string>;
}

/** The routes of a target; undefined if no virtual host matches its authority. */
export function routesOf(
  name: string,
  config: RouteConfigResource,
  { authority, policies }: ManagerOptions,
): Routes | undefined {
  const virtualHost = findVirtualHost(config, authority, policies);
  return virtualHost && { name, config, virtualHost, clusters: new Set(clusterNamesOf(virtualHost)) };
}

type ConfigParts = Omit<XdsConfig, 'routeConfigName' | 'routeConfig' | 'virtualHost'>;

/** A configuration with these routes. */
export function configOf(
  { name, config, virtualHost }: Routes,
  { listener, clusters, listenerNote, routesNote, statusTexts }: ConfigParts,
): XdsConfig {
  return {
    listener,
    clusters,
    listenerNote,
    routesNote,
    statusTexts,
    routeConfigName: name,
    routeConfig: config,
    virtualHost,
  };
}
