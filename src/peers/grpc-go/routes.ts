import type { MessageView } from '../message-view.js';
import type { PluginUse } from './cluster-specifier-plugins.js';
import type { GoContext } from './go-context.js';
import { quoted } from './go-text.js';
import { validateOverrides } from './http-filters.js';
import { goRegexError, safeRegexError } from './regex.js';
import { reject, within } from './rejection.js';
import { validateRetryPolicy } from './retry-policy.js';
import { requireText, validateStringMatcher } from './string-matcher.js';
import { printMember, printMessage } from './text-format.js';

const MAX_TOTAL_WEIGHT = 0xffff_ffff;

type Plugins = ReadonlyMap<string, PluginUse>;

/** Validates a route as far as grpc-go reads it: it stops at conditions and actions that make it ignore the route. */
export function validateRoute(route: MessageView, plugins: Plugins, context: GoContext): void {
  const match = route.message('match');
  if (match === undefined) reject(route, `${shown(route)} doesn't have a match`);
  if (match.count('query_parameters') > 0) return;
  validatePath(route, match);
  for (const header of match.messages('headers')) validateHeader(route, header);
  const action = route.setMemberOf('route') === 'route' ? route.message('route') : undefined;
  if (action !== undefined && !validateAction(route, action, plugins, context)) return;
  within(
    (error) => `${shown(route)}: ${error}`,
    () => validateOverrides(route, context),
  );
}

function shown(route: MessageView): string {
  return `route ${printMessage(route)}`;
}

function validatePath(route: MessageView, match: MessageView): void {
  const member = match.setMemberOf('prefix');
  switch (member) {
    case 'prefix':
    case 'path':
      return;
    case 'safe_regex':
      validateRegex(route, match, member);
      return;
    case undefined:
      reject(match, `${shown(route)} doesn't have a path specifier`);
      break;
    default:
      reject(match, `${shown(route)} has an unrecognized path specifier: ${printMember(match, member)}`, member);
  }
}

function validateRegex(route: MessageView, part: MessageView, field: string): void {
  const regex = part.message(field)?.text('regex') ?? '';
  if (safeRegexError(regex) !== undefined)
    reject(part, `${shown(route)} contains an invalid regex ${quoted(regex)}`, field);
}

/** The deprecated conditions on texts, and what grpc-go calls them. */
const TEXT_MATCHES: Readonly<Record<string, string>> = {
  prefix_match: 'prefix',
  suffix_match: 'suffix',
  contains_match: 'contains',
};

function validateHeader(route: MessageView, header: MessageView): void {
  const member = header.setMemberOf('exact_match');
  const invalid = (error: string): string => `${shown(route)} has an invalid header matcher: ${error}`;
  switch (member) {
    case 'exact_match':
    case 'range_match':
    case 'present_match':
      return;
    case 'safe_regex_match':
      validateRegex(route, header, member);
      return;
    case 'prefix_match':
    case 'suffix_match':
    case 'contains_match':
      within(invalid, () => requireText(TEXT_MATCHES[member] as string, header.text(member), header));
      return;
    case 'string_match':
      within(invalid, () => validateStringMatcher(header.message(member), header));
      return;
    default: {
      const value = member === undefined ? '<nil>' : printMember(header, member);
      reject(header, `${shown(route)} has an unrecognized header matcher: ${value}`);
    }
  }
}

/** Returns false if grpc-go ignores the route. */
function validateAction(route: MessageView, action: MessageView, plugins: Plugins, context: GoContext): boolean {
  for (const policy of action.messages('hash_policy')) validateHashPolicy(policy);
  const member = action.setMemberOf('cluster');
  switch (member) {
    case 'cluster':
      break;
    case 'weighted_clusters':
      validateWeightedClusters(route, action, context);
      break;
    case 'cluster_specifier_plugin':
      if (!validatePluginUse(route, action, plugins)) return false;
      break;
    default:
      return false;
  }
  within(
    (error) => `${shown(route)}, action ${printMessage(action)}: ${error}`,
    () => validateRetryPolicy(action.message('retry_policy')),
  );
  return true;
}

function validateHashPolicy(policy: MessageView): void {
  if (policy.setMemberOf('header') !== 'header') return;
  const rewrite = policy.message('header')?.message('regex_rewrite');
  const regex = rewrite?.message('pattern')?.text('regex') ?? '';
  if (rewrite !== undefined && goRegexError(regex) !== undefined)
    reject(rewrite, `hash policy ${printMessage(policy)} contains an invalid regex ${quoted(regex)}`, 'pattern');
}

function validateWeightedClusters(route: MessageView, action: MessageView, context: GoContext): void {
  const shownAction = (): string => `${shown(route)}, action ${printMember(action, 'weighted_clusters')}`;
  let total = 0;
  for (const cluster of action.message('weighted_clusters')?.messages('clusters') ?? []) {
    const weight = cluster.message('weight')?.number('value') ?? 0;
    if (weight === 0) continue;
    total += weight;
    if (total > MAX_TOTAL_WEIGHT) reject(cluster, 'xds: total weight of clusters exceeds MaxUint32', 'weight');
    within(
      (error) => `${shownAction()}: ${error}`,
      () => validateOverrides(cluster, context),
    );
  }
  if (total === 0)
    reject(action, `${shownAction()}, has no valid cluster in WeightedCluster action`, 'weighted_clusters');
}

/** Returns false if the plugin is optional and unknown. */
function validatePluginUse(route: MessageView, action: MessageView, plugins: Plugins): boolean {
  const name = action.text('cluster_specifier_plugin');
  const use = plugins.get(name);
  if (use === undefined) {
    const where = `${shown(route)}, action ${printMember(action, 'cluster_specifier_plugin')}`;
    const message = `${where}, specifies a cluster specifier plugin ${name} that is not in Route Configuration`;
    reject(action, message, 'cluster_specifier_plugin');
  }
  return use === 'used';
}
