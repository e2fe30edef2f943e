import type { TypedExtensionConfig } from '../../proto/generated/envoy.config.core.v3.js';
import {
  ExtensionWithMatcher,
  ExtensionWithMatcherPerRoute,
} from '../../proto/generated/envoy.extensions.common.matching.v3.js';
import { SkipFilter } from '../../proto/generated/envoy.extensions.filters.common.matcher.action.v3.js';
import { Composite, ExecuteFilterAction } from '../../proto/generated/envoy.extensions.filters.http.composite.v3.js';
import { decode } from '../../proto/message-type.js';
import { type Extension, withExtension } from '../common/extension.js';
import { perMillion } from '../common/fraction.js';
import type { ResourceSwitches } from '../context.js';
import type { Validation } from '../validation.js';
import { decodeConfig, type FilterConfig, type HttpFilter } from './http-filter.js';
import { readMatcherTree } from './matcher-tree.js';

const MILLION = 1_000_000;

/** The action of a matcher in a composite filter. */
type CompositeAction =
  | { kind: 'skip' }
  | { kind: 'execute'; filters: (FilterConfig | undefined)[]; samplePerMillion: number };

/** Finds a filter by the type of its config. */
type LookUp = (type: string, switches: ResourceSwitches) => HttpFilter | undefined;

function readAction(extension: Extension, validation: Validation, lookUp: LookUp): CompositeAction | undefined {
  const { type, value } = extension;
  if (type !== SkipFilter.typeName && type !== ExecuteFilterAction.typeName) {
    return validation.addError('Unsupported Action. Not found in registry');
  }
  // The typo is C-core's.
  if (value.kind === 'json') return validation.addError('Unsuppored action format (Json found instead of string)');
  if (type === SkipFilter.typeName) {
    return decode(SkipFilter, value.bytes).ok
      ? { kind: 'skip' }
      : validation.addError('could not parse SkipFilter action');
  }
  return readExecute(extension, validation, lookUp);
}

function readExecute(extension: Extension, validation: Validation, lookUp: LookUp): CompositeAction | undefined {
  const message = decodeConfig(ExecuteFilterAction, extension, 'could not parse ExecuteFilterAction', validation);
  if (message === undefined) return undefined;
  const { filterChain, typedConfig, samplePercent } = message;
  const one = typedConfig === undefined ? [] : [typedConfig];
  const configs = filterChain === undefined ? one : filterChain.typedConfig;
  if (filterChain === undefined && typedConfig === undefined) {
    validation.addError('one of typed_config or filter_chain must be set');
  }
  const share = samplePercent?.defaultValue;
  if (samplePercent !== undefined && share === undefined) {
    validation.segment('.sample_percent.default_value', ['sample_percent', 'default_value'], () =>
      validation.addError('field not set'),
    );
  }
  return {
    kind: 'execute',
    filters: configs.map((config) => readNested(config, validation, lookUp)),
    samplePerMillion: share === undefined ? MILLION : Math.min(perMillion(share), MILLION),
  };
}

function readNested(
  { typedConfig }: TypedExtensionConfig,
  validation: Validation,
  lookUp: LookUp,
): FilterConfig | undefined {
  return validation.segment('.typed_config.typed_config', ['typed_config', 'typed_config'], () =>
    withExtension(typedConfig, validation, (extension) => {
      const filter = lookUp(extension.type, validation.context.switches);
      if (filter === undefined) return validation.addError('unsupported filter type');
      if (filter.isTerminal) return validation.addError('terminal filters may not be used under composite filter');
      return filter.read(extension, validation, 'elsewhere');
    }),
  );
}

function checkExtensionConfig(config: TypedExtensionConfig | undefined, validation: Validation): void {
  if (config === undefined) {
    validation.addFieldError('extension_config', 'field not set');
    return;
  }
  validation.segment('.extension_config.typed_config', ['extension_config', 'typed_config'], () =>
    withExtension(config.typedConfig, validation, ({ type }) => {
      if (type !== Composite.typeName) validation.addError('unsupported extension config type');
    }),
  );
}

/** The filter that runs other filters, which a matcher selects (A103). */
export function compositeFilter(lookUp: LookUp): HttpFilter {
  const read = (extension: Extension, validation: Validation) => readAction(extension, validation, lookUp);
  return {
    type: ExtensionWithMatcher.typeName,
    overrideType: ExtensionWithMatcherPerRoute.typeName,
    onClients: true,
    onServers: true,
    isEnabled: (switches) => switches.compositeFilter,
    read: (extension, validation) => {
      const message = decodeConfig(
        ExtensionWithMatcher,
        extension,
        'could not parse composite filter config',
        validation,
      );
      if (message === undefined) return undefined;
      checkExtensionConfig(message.extensionConfig, validation);
      const { xdsMatcher } = message;
      const matcher =
        xdsMatcher && validation.field('xds_matcher', () => readMatcherTree(xdsMatcher, validation, read));
      return { kind: 'composite', matcher };
    },
    readOverride: (extension, validation) => {
      const problem = 'could not parse composite filter override config';
      const message = decodeConfig(ExtensionWithMatcherPerRoute, extension, problem, validation);
      if (message === undefined) return undefined;
      return {
        kind: 'composite',
        matcher: validation.field('xds_matcher', () => readMatcherTree(message.xdsMatcher, validation, read)),
      };
    },
  };
}
