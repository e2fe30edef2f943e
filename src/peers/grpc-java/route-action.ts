import type { Plugins } from './cluster-specifier-plugins.js';
import { comparableNanos, toNanos } from './duration.js';
import { checkOverrides } from './http-filters.js';
import { invalid, within } from './java-error.js';
import type { ProtoMessage } from './proto-message.js';
import { compileRegex } from './regex.js';
import type { Settings } from './settings.js';

const UINT32_MAX = 4_294_967_295;

export function checkRouteAction(action: ProtoMessage, plugins: Plugins, settings: Settings): void {
  checkTimeout(action.message('max_stream_duration'));
  if (action.has('retry_policy'))
    within(['retry_policy', 'retry_back_off'], () => checkRetryPolicy(action.message('retry_policy')));
  for (const [index, policy] of action.messages('hash_policy').entries())
    within(['hash_policy', index, 'header', 'regex_rewrite', 'pattern', 'regex'], () => checkHashPolicy(policy));
  switch (action.memberOf('cluster')) {
    case 'weighted_clusters':
      within(['weighted_clusters'], () => checkWeightedClusters(action.message('weighted_clusters'), settings));
      return;
    case 'cluster_specifier_plugin': {
      const name = action.string('cluster_specifier_plugin');
      if (settings.flags.routeLookup && !plugins.supported.has(name) && !plugins.skipped.has(name))
        invalid(`ClusterSpecifierPlugin for [${name}] not found`);
    }
  }
}

function checkTimeout(duration: ProtoMessage): void {
  const name = duration.has('grpc_timeout_header_max') ? 'grpc_timeout_header_max' : 'max_stream_duration';
  within(['max_stream_duration', name], () => toNanos(duration.message(name)));
}

const MILLISECOND = 1_000_000n;

function checkRetryPolicy(policy: ProtoMessage): void {
  if (!policy.has('retry_back_off')) return;
  const backOff = policy.message('retry_back_off');
  if (!backOff.has('base_interval')) invalid('No base_interval specified in retry_backoff');
  const base = comparableNanos(backOff.message('base_interval'));
  if (base <= 0n) invalid('base_interval in retry_backoff must be positive');
  if (backOff.has('max_interval')) {
    if (comparableNanos(backOff.message('max_interval')) < base)
      invalid('max_interval in retry_backoff cannot be less than base_interval');
  } else if (base >= MILLISECOND) toNanos(backOff.message('base_interval'));
}

function checkHashPolicy(policy: ProtoMessage): void {
  const rewrite = policy.message('header').message('regex_rewrite');
  if (rewrite.has('pattern')) compileRegex(rewrite.message('pattern').string('regex'));
}

function checkWeightedClusters(weighted: ProtoMessage, settings: Settings): void {
  const clusters = weighted.messages('clusters');
  if (clusters.length === 0) invalid('No cluster found in weighted cluster list');
  let sum = 0;
  for (const [index, cluster] of clusters.entries())
    within(
      ['clusters', index],
      () => {
        checkOverrides(cluster, settings);
        sum += cluster.message('weight').int('value') >>> 0;
      },
      (detail) =>
        `RouteAction contains invalid ClusterWeight: ClusterWeight [${cluster.string('name')}] contains invalid HttpFilter config: ${detail}`,
    );
  if (sum <= 0) invalid('Sum of cluster weights should be above 0.');
  if (sum > UINT32_MAX)
    invalid(
      `Sum of cluster weights should be less than the maximum unsigned integer (${UINT32_MAX}), but was ${sum}. `,
    );
}
