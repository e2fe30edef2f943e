import type { MessageView } from '../message-view.js';
import { type PluginUse, validatePlugins } from './cluster-specifier-plugins.js';
import type { GoContext } from './go-context.js';
import { validateOverrides } from './http-filters.js';
import { within } from './rejection.js';
import { validateRetryPolicy } from './retry-policy.js';
import { validateRoute } from './routes.js';
import { printMessage } from './text-format.js';

export function validateRouteConfiguration(config: MessageView, context: GoContext): void {
  const plugins = asInvalidRoute(() => validatePlugins(config));
  for (const host of config.messages('virtual_hosts')) validateHost(host, plugins, context);
}

function validateHost(host: MessageView, plugins: ReadonlyMap<string, PluginUse>, context: GoContext): void {
  asInvalidRoute(() => {
    for (const route of host.messages('routes')) validateRoute(route, plugins, context);
    validateRetryPolicy(host.message('retry_policy'));
  });
  within(
    (error) => `virtual host ${printMessage(host)}: ${error}`,
    () => validateOverrides(host, context),
  );
}

function asInvalidRoute<T>(validate: () => T): T {
  return within((error) => `received route is invalid: ${error}`, validate);
}
