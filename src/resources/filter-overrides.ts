import { FilterConfig as FilterConfigMessage } from '../proto/generated/envoy.config.route.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { type Extension, withExtension } from './common/extension.js';
import { decodeConfig, type FilterConfig } from './filters/http-filter.js';
import { filterOfOverride } from './filters/registry.js';
import type { Validation } from './validation.js';

/** What a virtual host, a route or a weighted cluster changes in the filters of the listener, by filter name. */
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

/** An override may come in a FilterConfig, which can make it optional. */
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
    ? validation.ignore(
        'HTTP filter',
        `gRPC has no filter with overrides of type ${extension.type}, and this one is optional`,
      )
    : validation.addError('unsupported filter type');
}
