import type { HeaderMutationRules } from '../../proto/generated/envoy.config.common.mutation_rules.v3.js';
import {
  ExternalProcessor,
  ExtProcPerRoute,
  ProcessingModeBodySendMode,
  ProcessingModeHeaderSendMode,
  type ProcessingMode as ProcessingModeMessage,
} from '../../proto/generated/envoy.extensions.filters.http.ext_proc.v3.js';
import type { ListStringMatcher, RegexMatcher } from '../../proto/generated/envoy.type.matcher.v3.js';
import { readRegex, readStringMatcher } from '../common/string-matcher.js';
import type { Validation } from '../validation.js';
import { readGrpcService, readPositive, type SideService } from './grpc-service.js';
import { decodeConfig, type HttpFilter } from './http-filter.js';

/** The config of an external processor (A93). */
export interface ExtProcConfig {
  service: SideService | undefined;
  mode: ProcessingMode | undefined;
  failureModeAllow: boolean;
}

export type ExtProcOverride = Partial<ExtProcConfig>;

/** The parts of an RPC that gRPC sends to the external processor. */
interface ProcessingMode {
  requestHeaders: boolean;
  responseHeaders: boolean;
  responseTrailers: boolean;
  requestBody: boolean;
  responseBody: boolean;
}

const { SEND, SKIP, DEFAULT } = ProcessingModeHeaderSendMode;
const { NONE, GRPC } = ProcessingModeBodySendMode;

function readMode(message: ProcessingModeMessage, validation: Validation): ProcessingMode {
  const sendsHeaders = (name: string, value: number, byDefault: boolean): boolean => {
    if (value !== SEND && value !== SKIP && value !== DEFAULT) {
      validation.addFieldError(name, `unsupported header processing mode value: ${value}`);
    }
    return value === DEFAULT ? byDefault : value === SEND;
  };
  const sendsBody = (name: string, value: number): boolean => {
    if (value !== NONE && value !== GRPC)
      validation.addFieldError(name, `unsupported body processing mode value: ${value}`);
    return value === GRPC;
  };
  const mode = {
    requestHeaders: sendsHeaders('request_header_mode', message.requestHeaderMode, true),
    responseHeaders: sendsHeaders('response_header_mode', message.responseHeaderMode, true),
    responseTrailers: sendsHeaders('response_trailer_mode', message.responseTrailerMode, false),
    requestBody: sendsBody('request_body_mode', message.requestBodyMode),
    responseBody: sendsBody('response_body_mode', message.responseBodyMode),
  };
  if (mode.responseBody && !mode.responseTrailers) {
    validation.addFieldError('response_trailer_mode', 'must be set to SEND if response_body_mode is set to GRPC');
  }
  return mode;
}

function readConfig(message: ExternalProcessor, validation: Validation): ExtProcConfig {
  const { processingMode, mutationRules, forwardRules, deferredCloseTimeout } = message;
  const service = validation.field('grpc_service', () => readGrpcService(message.grpcService, validation));
  const mode = processingMode && validation.field('processing_mode', () => readMode(processingMode, validation));
  if (mutationRules !== undefined)
    validation.field('mutation_rules', () => checkMutationRules(mutationRules, validation));
  checkPatterns('allowed_headers', forwardRules?.allowedHeaders, validation);
  checkPatterns('disallowed_headers', forwardRules?.disallowedHeaders, validation);
  if (deferredCloseTimeout !== undefined) {
    validation.field('deferred_close_timeout', () => readPositive(deferredCloseTimeout, validation));
  }
  return { service, mode, failureModeAllow: message.failureModeAllow };
}

/** C-core prints `header_mutation_rules` in the path, although no field has this name. */
function checkMutationRules(
  { disallowExpression, allowExpression }: HeaderMutationRules,
  validation: Validation,
): void {
  const check = (name: string, expression: RegexMatcher | undefined): void => {
    if (expression === undefined) return;
    validation.segment(`.header_mutation_rules.${name}`, [name], () => readRegex(expression.regex, '', validation));
  };
  check('disallow_expression', disallowExpression);
  check('allow_expression', allowExpression);
}

function checkPatterns(name: string, matchers: ListStringMatcher | undefined, validation: Validation): void {
  if (matchers === undefined) return;
  validation.segment(`.forwarding_rules.${name}`, ['forward_rules', name], () => {
    for (const [i, pattern] of matchers.patterns.entries())
      validation.item('patterns', i, () => readStringMatcher(pattern, validation));
  });
}

export const EXT_PROC: HttpFilter = {
  type: ExternalProcessor.typeName,
  overrideType: ExtProcPerRoute.typeName,
  onClients: true,
  onServers: false,
  isEnabled: (switches) => switches.extProcOnClient,
  read: (extension, validation) => {
    const message = decodeConfig(ExternalProcessor, extension, 'could not parse ext_proc filter config', validation);
    return message && { kind: 'ext_proc', config: readConfig(message, validation) };
  },
  readOverride: (extension, validation) => {
    const problem = 'could not parse ext_proc filter override config';
    const override = decodeConfig(ExtProcPerRoute, extension, problem, validation)?.override;
    if (override?.kind !== 'overrides') return { kind: 'ext_proc', config: undefined };
    const { processingMode, grpcService, failureModeAllow } = override.value;
    const config = validation.field('overrides', () => ({
      mode: processingMode && validation.field('processing_mode', () => readMode(processingMode, validation)),
      service: grpcService && validation.field('grpc_service', () => readGrpcService(grpcService, validation)),
      failureModeAllow: failureModeAllow ?? false,
    }));
    return { kind: 'ext_proc', config };
  },
};
