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
import type { Judgement } from '../judgement.js';
import { decodeConfig, type FilterConfig, type HttpFilter } from './http-filter.js';
import { readMatcherTree } from './matcher-tree.js';

const MILLION = 1_000_000;

/** What the matcher of a composite filter leads to. */
type CompositeAction =
  | { kind: 'skip' }
  | { kind: 'execute'; filters: (FilterConfig | undefined)[]; samplePerMillion: number };

/** Finds a filter by the type of its config. */
type LookUp = (type: string, switches: ResourceSwitches) => HttpFilter | undefined;

function readAction(extension: Extension, j: Judgement, lookUp: LookUp): CompositeAction | undefined {
  const { type, value } = extension;
  if (type !== SkipFilter.typeName && type !== ExecuteFilterAction.typeName) {
    return j.refuse('Unsupported Action. Not found in registry');
  }
  // The typing error is C-core's.
  if (value.kind === 'json') return j.refuse('Unsuppored action format (Json found instead of string)');
  if (type === SkipFilter.typeName) {
    return decode(SkipFilter, value.bytes).ok ? { kind: 'skip' } : j.refuse('could not parse SkipFilter action');
  }
  return readExecute(extension, j, lookUp);
}

function readExecute(extension: Extension, j: Judgement, lookUp: LookUp): CompositeAction | undefined {
  const message = decodeConfig(ExecuteFilterAction, extension, 'could not parse ExecuteFilterAction', j);
  if (message === undefined) return undefined;
  const { filterChain, typedConfig, samplePercent } = message;
  const one = typedConfig === undefined ? [] : [typedConfig];
  const configs = filterChain === undefined ? one : filterChain.typedConfig;
  if (filterChain === undefined && typedConfig === undefined) {
    j.refuse('one of typed_config or filter_chain must be set');
  }
  const share = samplePercent?.defaultValue;
  if (samplePercent !== undefined && share === undefined) {
    j.segment('.sample_percent.default_value', ['sample_percent', 'default_value'], () => j.refuse('field not set'));
  }
  return {
    kind: 'execute',
    filters: configs.map((config) => readNested(config, j, lookUp)),
    samplePerMillion: share === undefined ? MILLION : Math.min(perMillion(share), MILLION),
  };
}

function readNested({ typedConfig }: TypedExtensionConfig, j: Judgement, lookUp: LookUp): FilterConfig | undefined {
  return j.segment('.typed_config.typed_config', ['typed_config', 'typed_config'], () =>
    withExtension(typedConfig, j, (extension) => {
      const filter = lookUp(extension.type, j.context.switches);
      if (filter === undefined) return j.refuse('unsupported filter type');
      if (filter.isTerminal) return j.refuse('terminal filters may not be used under composite filter');
      return filter.read(extension, j, 'elsewhere');
    }),
  );
}

function checkExtensionConfig(config: TypedExtensionConfig | undefined, j: Judgement): void {
  if (config === undefined) {
    j.refuseField('extension_config', 'field not set');
    return;
  }
  j.segment('.extension_config.typed_config', ['extension_config', 'typed_config'], () =>
    withExtension(config.typedConfig, j, ({ type }) => {
      if (type !== Composite.typeName) j.refuse('unsupported extension config type');
    }),
  );
}

/** Runs other filters, chosen by a matcher (A103). */
export function compositeFilter(lookUp: LookUp): HttpFilter {
  const read = (extension: Extension, j: Judgement) => readAction(extension, j, lookUp);
  return {
    type: ExtensionWithMatcher.typeName,
    overrideType: ExtensionWithMatcherPerRoute.typeName,
    onClients: true,
    onServers: true,
    isEnabled: (switches) => switches.compositeFilter,
    read: (extension, j) => {
      const message = decodeConfig(ExtensionWithMatcher, extension, 'could not parse composite filter config', j);
      if (message === undefined) return undefined;
      checkExtensionConfig(message.extensionConfig, j);
      const { xdsMatcher } = message;
      const matcher = xdsMatcher && j.field('xds_matcher', () => readMatcherTree(xdsMatcher, j, read));
      return { kind: 'composite', matcher };
    },
    readOverride: (extension, j) => {
      const problem = 'could not parse composite filter override config';
      const message = decodeConfig(ExtensionWithMatcherPerRoute, extension, problem, j);
      if (message === undefined) return undefined;
      return { kind: 'composite', matcher: j.field('xds_matcher', () => readMatcherTree(message.xdsMatcher, j, read)) };
    },
  };
}
