import type { XdsConfig } from '../../deps/config.js';
import type { FilterConfig } from '../../resources/filters/http-filter.js';
import type { Route } from '../single-route.js';
import type { Cause, RouteOutcome } from './verdict.js';

/** Reports a cluster specifier plugin (RLS) or an ext_proc filter (A93): an external service decides about each RPC. */
export function externalDecision(config: XdsConfig, outcomes: readonly RouteOutcome[]): Cause | undefined {
  const counted = new Set(outcomes.flatMap(({ outcome, index }) => (outcome === 'never-matches' ? [] : [index])));
  const routes = config.virtualHost.routes.filter(({ displayOnly }) => counted.has(displayOnly.index));
  return lookupCause(config, routes) ?? processorCause(config, routes);
}

function lookupCause({ routeConfig, routeConfigName }: XdsConfig, routes: readonly Route[]): Cause | undefined {
  for (const { action } of routes) {
    if (action.kind !== 'route' || action.destination.kind !== 'plugin') continue;
    const { name } = action.destination;
    const { lookupService, defaultTarget } = lookupConfig(routeConfig.plugins.get(name));
    const service = lookupService === undefined ? `the plugin ${name}` : `RLS at ${lookupService}`;
    const defaultText = defaultTarget === undefined ? '' : `; its default is cluster ${defaultTarget}`;
    return {
      code: 'depends-on',
      message: `${service} chooses the cluster of each RPC (plugin ${name})${defaultText}`,
      resource: routeConfigName === '' ? null : { type: 'RDS', name: routeConfigName },
      server: null,
      advice: `Check ${lookupService ?? `the service of plugin ${name}`} if RPCs fail: this tool does not call it.`,
    };
  }
  return undefined;
}

/** The parts of the RLS configuration that select the cluster. */
function lookupConfig(plugin: unknown): { lookupService?: string; defaultTarget?: string } {
  const config = fieldOf(fieldOf(plugin, 'rls_experimental'), 'routeLookupConfig');
  const lookupService = fieldOf(config, 'lookupService');
  const defaultTarget = fieldOf(config, 'defaultTarget');
  return {
    ...(typeof lookupService === 'string' ? { lookupService } : {}),
    ...(typeof defaultTarget === 'string' ? { defaultTarget } : {}),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Finds the first route whose RPCs an ext_proc filter sends to its service. Overrides in the route and the virtual host apply. */
function processorCause({ listener, virtualHost }: XdsConfig, routes: readonly Route[]): Cause | undefined {
  for (const { overrides } of routes) {
    for (const { name, disabled, config } of listener.filters) {
      const override = overrides.get(name) ?? virtualHost.overrides.get(name);
      const service = serviceOf(override) ?? serviceOf(config);
      if (service === undefined || (disabled && override === undefined)) continue;
      const onFailure = service.failureModeAllow ? 'RPCs pass if it fails' : 'RPCs fail if it fails';
      return {
        code: 'depends-on',
        message: `the ext_proc filter "${name}" sends each RPC to ${service.target}; ${onFailure}`,
        resource: null,
        server: null,
        advice: `Check ${service.target} if RPCs fail: this tool does not call it.`,
      };
    }
  }
  return undefined;
}

function serviceOf(filter: FilterConfig | undefined): { target: string; failureModeAllow: boolean } | undefined {
  const config = filter?.kind === 'ext_proc' ? filter.config : undefined;
  if (config === undefined) return undefined;
  const target = config.service?.target;
  return target === undefined ? undefined : { target, failureModeAllow: config.failureModeAllow === true };
}
