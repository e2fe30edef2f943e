import { checkPlugins, type Plugins } from './cluster-specifier-plugins.js';
import { checkOverrides } from './http-filters.js';
import { catching, invalid, within } from './java-error.js';
import { checkFraction, checkHeaderMatcher } from './matchers.js';
import { oneofCase, type ProtoMessage } from './proto-message.js';
import { compileRegex } from './regex.js';
import { checkRouteAction } from './route-action.js';
import type { Settings } from './settings.js';

/** Validates a RouteConfiguration, also inside a listener. */
export function validateRouteConfiguration(config: ProtoMessage, settings: Settings): void {
  const plugins = checkPlugins(config.messages('cluster_specifier_plugins'), settings);
  for (const [index, host] of config.messages('virtual_hosts').entries())
    within(
      ['virtual_hosts', index],
      () => checkVirtualHost(host, plugins, settings),
      (detail) => `RouteConfiguration contains invalid virtual host: ${detail}`,
    );
}

function checkVirtualHost(host: ProtoMessage, plugins: Plugins, settings: Settings): void {
  const name = host.string('name');
  for (const [index, route] of host.messages('routes').entries())
    within(
      ['routes', index],
      () => checkRoute(route, plugins, settings),
      (detail) => `Virtual host [${name}] contains invalid route : ${detail}`,
    );
  within(
    [],
    () => checkOverrides(host, settings),
    (detail) => `VirtualHost [${name}] contains invalid HttpFilter config: ${detail}`,
  );
}

function checkRoute(route: ProtoMessage, plugins: Plugins, settings: Settings): void {
  const match = route.message('match');
  // grpc-java skips routes with query parameters.
  if (match.has('query_parameters')) return;
  const name = route.string('name');
  within(
    ['match'],
    () => checkMatch(match),
    (detail) => `Route [${name}] contains invalid RouteMatch: ${detail}`,
  );
  within(
    [],
    () => checkOverrides(route, settings),
    (detail) => `Route [${name}] contains invalid HttpFilter config: ${detail}`,
  );
  switch (route.memberOf('route')) {
    case 'route':
      within(
        ['route'],
        () => checkRouteAction(route.message('route'), plugins, settings),
        (detail) => `Route [${name}] contains invalid RouteAction: ${detail}`,
      );
      return;
    case 'non_forwarding_action':
      return;
    default:
      invalid(`Route [${name}] with unknown action type: ${oneofCase(route, 'route', 'ACTION_NOT_SET')}`);
  }
}

function checkMatch(match: ProtoMessage): void {
  checkPath(match);
  catching(
    ['argument'],
    () => {
      if (match.has('runtime_fraction'))
        within(['runtime_fraction', 'default_value'], () =>
          checkFraction(match.message('runtime_fraction').message('default_value')),
        );
      for (const [index, header] of match.messages('headers').entries())
        within(['headers', index], () => checkHeaderMatcher(header));
    },
    (error) => error.detail ?? '',
  );
}

function checkPath(match: ProtoMessage): void {
  switch (match.memberOf('prefix')) {
    case 'prefix':
    case 'path':
      return;
    case 'safe_regex':
      within(['safe_regex', 'regex'], () =>
        catching(
          ['pattern'],
          () => compileRegex(match.message('safe_regex').string('regex')),
          (error) => `Malformed safe regex pattern: ${error.detail}`,
        ),
      );
      return;
    default:
      invalid('Unknown path match type');
  }
}
