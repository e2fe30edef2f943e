import { FilterConfig as FilterConfigMessage } from '../proto/generated/envoy.config.route.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { type Extension, withExtension } from './common/extension.js';
import { decodeConfig, type FilterConfig } from './filters/http-filter.js';
import { filterOfOverride } from './filters/registry.js';
import type { Judgement } from './judgement.js';

/** What a virtual host, a route or a weighted cluster changes in the filters of the listener, by filter name. */
export type FilterOverrides = ReadonlyMap<string, FilterConfig>;

const NONE: FilterOverrides = new Map();

export function readFilterOverrides(configs: ReadonlyMap<string, Any>, j: Judgement): FilterOverrides {
  if (configs.size === 0) return NONE;
  const overrides = new Map<string, FilterConfig>();
  for (const [name, any] of configs) {
    const config = j.entry('typed_per_filter_config', name, () => {
      if (name === '') j.refuse('filter name must be non-empty');
      return withExtension(any, j, (extension) => readOverride(extension, j));
    });
    if (config !== undefined) overrides.set(name, config);
  }
  return overrides;
}

/** An override may come in a FilterConfig, which can make it optional. */
function readOverride(extension: Extension, j: Judgement): FilterConfig | undefined {
  if (extension.type !== FilterConfigMessage.typeName) return readFilter(extension, false, j);
  const wrapper = decodeConfig(FilterConfigMessage, extension, 'could not parse FilterConfig', j);
  return (
    wrapper &&
    j.field('config', () => withExtension(wrapper.config, j, (inner) => readFilter(inner, wrapper.isOptional, j)))
  );
}

function readFilter(extension: Extension, isOptional: boolean, j: Judgement): FilterConfig | undefined {
  const filter = filterOfOverride(extension.type, j.context.switches);
  if (filter !== undefined) return filter.readOverride?.(extension, j);
  return isOptional
    ? j.ignore('HTTP filter', `gRPC has no filter with overrides of type ${extension.type}, and this one is optional`)
    : j.refuse('unsupported filter type');
}
