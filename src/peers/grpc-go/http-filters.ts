import type { MessageView } from '../message-view.js';
import { containsType, typeUrlOf, UDPA_TYPED_STRUCT, unmarshalTo, XDS_TYPED_STRUCT } from './any.js';
import { validateExtProc, validateExtProcOverride } from './ext-proc.js';
import type { GoContext } from './go-context.js';
import { quoted } from './go-text.js';
import { validateRbac, validateRbacOverride } from './rbac.js';
import { Rejection, reject, within } from './rejection.js';
import { printMessage } from './text-format.js';

const FILTERS = 'type.googleapis.com/envoy.extensions.filters.http.';
const ROUTER = 'envoy.extensions.filters.http.router.v3.Router';
const FAULT = 'envoy.extensions.filters.http.fault.v3.HTTPFault';
const FILTER_CONFIG = 'envoy.config.route.v3.FilterConfig';

/** A filter that grpc-go implements. */
interface FilterKind {
  isTerminal: boolean;
  onClient: boolean;
  onServer: boolean;
  /** The prefix of its error messages. */
  label: string;
  /** What it calls a value that is not an Any. */
  wantsAny?: string;
  validate(any: MessageView, context: GoContext): void;
  validateOverride(any: MessageView, context: GoContext): void;
}

const router: FilterKind = {
  isTerminal: true,
  onClient: true,
  onServer: true,
  label: 'router',
  validate: (any) => {
    unmarshalTo(ROUTER, any, (error) => `router: error parsing config ${printMessage(any)}: ${error}`);
  },
  validateOverride: (any) => rejectRouterOverride(any),
};

const fault: FilterKind = {
  isTerminal: false,
  onClient: true,
  onServer: false,
  label: 'fault',
  validate: validateFault,
  validateOverride: validateFault,
};

const rbac: FilterKind = {
  isTerminal: false,
  onClient: false,
  onServer: true,
  label: 'rbac',
  validate: validateRbac,
  validateOverride: validateRbacOverride,
};

const extProc: FilterKind = {
  isTerminal: false,
  onClient: true,
  onServer: false,
  label: 'extproc',
  wantsAny: ', want *anypb.Any',
  validate: validateExtProc,
  validateOverride: validateExtProcOverride,
};

const KINDS = new Map<string, FilterKind>([
  [`${FILTERS}router.v3.Router`, router],
  [`${FILTERS}fault.v3.HTTPFault`, fault],
  [`${FILTERS}rbac.v3.RBAC`, rbac],
  [`${FILTERS}rbac.v3.RBACPerRoute`, rbac],
]);

const EXT_PROC_KINDS = new Map<string, FilterKind>([
  [`${FILTERS}ext_proc.v3.ExternalProcessor`, extProc],
  [`${FILTERS}ext_proc.v3.ExtProcPerRoute`, extProc],
]);

function validateFault(any: MessageView): void {
  unmarshalTo(FAULT, any, (error) => `fault: error parsing config ${printMessage(any)}: ${error}`);
}

function rejectRouterOverride(override: MessageView): never {
  reject(override, `router: unexpected config override specified: ${printMessage(override)}`);
}

/** Validates the HTTP filters of a connection manager. */
export function validateHttpFilters(manager: MessageView, side: 'client' | 'server', context: GoContext): void {
  const seen = new Set<string>();
  const kept: { name: string; kind: FilterKind; filter: MessageView }[] = [];
  for (const filter of manager.messages('http_filters')) {
    const name = filter.text('name');
    if (name === '') reject(filter, 'filter missing name field');
    if (seen.has(name)) reject(filter, `duplicate filter name ${quoted(name)}`, 'name');
    seen.add(name);
    const isOptional = filter.flag('is_optional');
    const kind = validateConfig(filter.message('typed_config'), filter, 'validate', isOptional, context);
    if (kind === undefined) continue;
    if (side === 'server' ? kind.onServer : kind.onClient) kept.push({ name, kind, filter });
    else if (!isOptional) reject(filter, `HTTP filter ${quoted(name)} not supported ${side}-side`, 'typed_config');
  }
  const last = kept.pop();
  if (last === undefined) reject(manager, 'http filters list is empty', 'http_filters');
  for (const { name, kind, filter } of kept)
    if (kind.isTerminal)
      reject(filter, `http filter ${quoted(name)} is a terminal filter but it is not last in the filter chain`);
  if (!last.kind.isTerminal) reject(last.filter, `http filter ${quoted(last.name)} is not a terminal filter`);
}

/** Validates the configs of filters in a virtual host, route or weighted cluster. */
export function validateOverrides(part: MessageView, context: GoContext): void {
  for (const [name, config] of part.messageEntries('typed_per_filter_config'))
    within(
      (error) => `filter override ${quoted(name)}: ${error}`,
      () => validateOverride(config, context),
    );
}

function validateOverride(config: MessageView, context: GoContext): void {
  if (!containsType(config, FILTER_CONFIG)) {
    validateConfig(config, config, 'validateOverride', false, context);
    return;
  }
  const wrapper = unmarshalTo(FILTER_CONFIG, config, (error) => `error unmarshalling FilterConfig: ${error}`);
  const { extProc: canDisable, extAuthz } = context.switches;
  if ((canDisable || extAuthz) && wrapper.flag('disabled')) return;
  validateConfig(wrapper.message('config'), wrapper, 'validateOverride', wrapper.flag('is_optional'), context);
}

/** Returns the kind of a filter; `undefined` if it is optional and unknown. */
function validateConfig(
  config: MessageView | undefined,
  parent: MessageView,
  method: 'validate' | 'validateOverride',
  isOptional: boolean,
  context: GoContext,
): FilterKind | undefined {
  const { typeUrl, typedStruct } = unwrapped(config);
  const kind = KINDS.get(typeUrl) ?? (context.switches.extProc ? EXT_PROC_KINDS.get(typeUrl) : undefined);
  if (kind === undefined) {
    if (isOptional) return undefined;
    return reject(config ?? parent, `no filter implementation found for ${quoted(typeUrl)}`);
  }
  within(
    (error) => `error parsing config for filter ${quoted(typeUrl)}: ${error}`,
    () => {
      if (typedStruct !== undefined) rejectTypedStruct(typedStruct, kind, method);
      kind[method](config as MessageView, context);
    },
  );
  return kind;
}

/** Unpacks a TypedStruct, which no filter of grpc-go accepts. */
function unwrapped(config: MessageView | undefined): { typeUrl: string; typedStruct?: TypedStruct } {
  for (const [typeName, goType] of [
    [XDS_TYPED_STRUCT, '*v3.TypedStruct'],
    [UDPA_TYPED_STRUCT, '*v1.TypedStruct'],
  ] as const) {
    if (!containsType(config, typeName)) continue;
    const value = unmarshalTo(typeName, config, (error) => `error unmarshalling TypedStruct filter config: ${error}`);
    return { typeUrl: value.text('type_url'), typedStruct: { value, goType } };
  }
  return { typeUrl: typeUrlOf(config) };
}

interface TypedStruct {
  value: MessageView;
  goType: string;
}

function rejectTypedStruct(
  { value, goType }: TypedStruct,
  { label, wantsAny = '' }: FilterKind,
  method: 'validate' | 'validateOverride',
): never {
  if (label === 'router' && method === 'validateOverride') rejectRouterOverride(value);
  const overrideNames: Record<string, string> = { rbac: 'override config', extproc: 'override' };
  const what = (method === 'validateOverride' && overrideNames[label]) || 'config';
  const message = `${label}: error parsing ${what} ${printMessage(value)}: unknown type ${goType}${wantsAny}`;
  throw new Rejection(message, value);
}
