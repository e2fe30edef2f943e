import { unpackAny } from './decode-message.js';
import { toNanos } from './duration.js';
import { checkExtProc, checkExtProcOverrides } from './ext-proc.js';
import { catching, invalid, within } from './java-error.js';
import { checkFraction } from './matchers.js';
import type { ProtoMessage } from './proto-message.js';
import { checkRbac } from './rbac.js';
import type { Settings } from './settings.js';

const PREFIX = 'type.googleapis.com/';
const ROUTER = 'envoy.extensions.filters.http.router.v3.Router';
const FAULT = 'envoy.extensions.filters.http.fault.v3.HTTPFault';
const RBAC = 'envoy.extensions.filters.http.rbac.v3.RBAC';
const RBAC_PER_ROUTE = 'envoy.extensions.filters.http.rbac.v3.RBACPerRoute';
const GCP_AUTHN = 'envoy.extensions.filters.http.gcp_authn.v3.GcpAuthnFilterConfig';
const EXT_PROC = 'envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor';
const EXT_PROC_PER_ROUTE = 'envoy.extensions.filters.http.ext_proc.v3.ExtProcPerRoute';

/** A filter that grpc-java supports. Its checks throw errors of a config. */
interface HttpFilter {
  isFor(side: Side, settings: Settings): boolean;
  isTerminal: boolean;
  check(config: FilterConfig, settings: Settings): void;
  checkOverride(config: FilterConfig, settings: Settings): void;
}

export type Side = 'client' | 'server';

/** A config in an Any; `undefined` if it is a Struct, which no filter reads. */
type FilterConfig = ProtoMessage | undefined;

const onClient = (side: Side): boolean => side === 'client';
const onServer = (side: Side): boolean => side === 'server';

const router: HttpFilter = {
  isFor: () => true,
  isTerminal: true,
  check() {},
  checkOverride: () => invalid('Router Filter should not have override config'),
};

const fault: HttpFilter = {
  isFor: onClient,
  isTerminal: false,
  check: (config) => checkFault(unpackConfig(config, FAULT)),
  checkOverride: (config) => checkFault(unpackConfig(config, FAULT)),
};

const rbac: HttpFilter = {
  isFor: onServer,
  isTerminal: false,
  check: (config) => checkRbac(unpackConfig(config, RBAC)),
  checkOverride: (config) => {
    const perRoute = unpackConfig(config, RBAC_PER_ROUTE);
    if (perRoute.has('rbac')) within(['rbac'], () => checkRbac(perRoute.message('rbac')));
  },
};

const gcpAuthn: HttpFilter = {
  isFor: onClient,
  isTerminal: false,
  check: (config) => checkGcpAuthn(unpackConfig(config, GCP_AUTHN)),
  checkOverride: (config) => checkGcpAuthn(unpackConfig(config, GCP_AUTHN)),
};

const extProc: HttpFilter = {
  isFor: (side, { flags }) => side === 'client' && flags.extProcOnClient,
  isTerminal: false,
  check: (config, settings) => checkExtProc(unpackConfig(config, EXT_PROC), settings),
  checkOverride: (config, settings) =>
    checkExtProcOverrides(unpackConfig(config, EXT_PROC_PER_ROUTE).message('overrides'), settings),
};

const FILTERS: ReadonlyMap<string, HttpFilter> = new Map([
  [PREFIX + ROUTER, router],
  [PREFIX + FAULT, fault],
  [PREFIX + RBAC, rbac],
  [PREFIX + RBAC_PER_ROUTE, rbac],
  [PREFIX + GCP_AUTHN, gcpAuthn],
  [PREFIX + EXT_PROC, extProc],
]);

/** Returns the filter; `undefined` if it is optional and not supported. */
export function checkHttpFilter(filter: ProtoMessage, side: Side, settings: Settings): HttpFilter | undefined {
  const name = filter.string('name');
  const isOptional = filter.bool('is_optional');
  if (!filter.has('typed_config'))
    return isOptional ? undefined : invalid(`HttpFilter [${name}] is not optional and has no typed config`);
  return within(['typed_config'], () => {
    const { typeUrl, config } = catching(
      ['proto'],
      () => withoutTypedStruct(filter.message('typed_config')),
      (error) => `HttpFilter [${name}] contains invalid proto: ${error.text}`,
    );
    const supported = FILTERS.get(typeUrl);
    if (supported?.isFor(side, settings) !== true) {
      if (isOptional) return undefined;
      return invalid(`HttpFilter [${name}](${typeUrl}) is required but unsupported for ${side}`);
    }
    within(
      [],
      () => supported.check(config, settings),
      (detail) => `Invalid filter config for HttpFilter [${name}]: ${detail}`,
    );
    return supported;
  });
}

/** Checks the overrides of filters in a virtual host, a route or a weighted cluster. */
export function checkOverrides(from: ProtoMessage, settings: Settings): void {
  for (const [name, any] of from.map('typed_per_filter_config'))
    within(['typed_per_filter_config', name], () => checkOverride(name, any, settings));
}

const FILTER_CONFIG = 'envoy.config.route.v3.FilterConfig';

function checkOverride(name: string, any: ProtoMessage, settings: Settings): void {
  const { typeUrl, config, isOptional } = catching(
    ['proto'],
    () => unwrapOverride(any),
    (error) => `FilterConfig [${name}] contains invalid proto: ${error.text}`,
  );
  const supported = FILTERS.get(typeUrl);
  if (supported === undefined) {
    if (!isOptional) invalid(`HttpFilter [${name}](${typeUrl}) is required but unsupported`);
    return;
  }
  within(
    [],
    () => supported.checkOverride(config, settings),
    (detail) => `Invalid filter config for HttpFilter [${name}]: ${detail}`,
  );
}

function unwrapOverride(any: ProtoMessage): { typeUrl: string; config: FilterConfig; isOptional: boolean } {
  if (any.string('type_url') !== PREFIX + FILTER_CONFIG) return { ...withoutTypedStruct(any), isOptional: false };
  const wrapper = unpackAny(any, FILTER_CONFIG);
  return { ...withoutTypedStruct(wrapper.message('config')), isOptional: wrapper.bool('is_optional') };
}

function withoutTypedStruct(any: ProtoMessage): { typeUrl: string; config: FilterConfig } {
  const typeUrl = any.string('type_url');
  for (const typeName of ['udpa.type.v1.TypedStruct', 'xds.type.v3.TypedStruct'])
    if (typeUrl === PREFIX + typeName)
      return { typeUrl: unpackAny(any, typeName).string('type_url'), config: undefined };
  return { typeUrl, config: any };
}

function unpackConfig(config: FilterConfig, typeName: string): ProtoMessage {
  if (config === undefined) return invalid('Invalid config type: class com.google.protobuf.Struct');
  return catching(
    ['proto'],
    () => unpackAny(config, typeName),
    (error) => `Invalid proto: ${error.text}`,
  );
}

function checkFault(config: ProtoMessage): void {
  if (config.has('delay')) {
    const delay = config.message('delay');
    within(['delay', 'percentage'], () => checkFraction(delay.message('percentage')));
    if (!delay.has('header_delay')) within(['delay', 'fixed_delay'], () => toNanos(delay.message('fixed_delay')));
  }
  if (!config.has('abort')) return;
  within(['abort'], () => {
    const abort = config.message('abort');
    checkFraction(abort.message('percentage'));
    if (abort.memberOf('http_status') === undefined)
      invalid('HttpFault contains invalid FaultAbort: Unknown error type case: ERRORTYPE_NOT_SET');
  });
}

function checkGcpAuthn(config: ProtoMessage): void {
  const cache = config.message('cache_config');
  if (cache.has('cache_size') && cache.message('cache_size').long('value') === 0n)
    invalid('cache_config.cache_size must be greater than zero');
}
