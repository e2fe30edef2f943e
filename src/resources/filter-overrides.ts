import { FilterConfig as FilterConfigMessage } from '../proto/generated/envoy.config.route.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { type Extension, withExtension } from './common/extension.js';
import { decodeConfig, type FilterConfig } from './filters/http-filter.js';
import { filterOfOverride } from './filters/registry.js';
import type { Validation } from './validation.js';

/** The overrides of HTTP filter configs in a virtual host, a route or a weighted cluster, by filter name. */
export type FilterOverrides = ReadonlyMap<string, FilterConfig>;

const NONE: FilterOverrides = new Map();

export function readFilterOverrides(configs: ReadonlyMap<string, Any>, validation: Validation): FilterOverrides {
  if (configs.size === 0) return NONE;
  const overrides = new Map<string, FilterConfig>();
  for (const [name, any] of configs) {
    const config = validation.entry('typed_per_filter_config', name, () => {
      if (name === '') validation.addError('filter name must be non-empty');
      return withExtension(any, validation, (extension) => readOverride(extension, validation));
    });
    if (config !== undefined) overrides.set(name, config);
  }
  return overrides;
}

/** Reads an override, which may be wrapped in a FilterConfig that makes it optional. */
function readOverride(extension: Extension, validation: Validation): FilterConfig | undefined {
  if (extension.type !== FilterConfigMessage.typeName) return readFilter(extension, false, validation);
  const wrapper = decodeConfig(FilterConfigMessage, extension, 'could not parse FilterConfig', validation);
  return (
    wrapper &&
    validation.field('config', () =>
      withExtension(wrapper.config, validation, (inner) => readFilter(inner, wrapper.isOptional, validation)),
    )
  );
}

function readFilter(extension: Extension, isOptional: boolean, validation: Validation): FilterConfig | undefined {
  const filter = filterOfOverride(extension.type, validation.context.switches);
  if (filter !== undefined) return filter.readOverride?.(extension, validation);
  return isOptional
    ? validation.ignore('HTTP filter', `gRPC does not support this optional filter override (${extension.type})`)
    : validation.addError('unsupported filter type');
}
