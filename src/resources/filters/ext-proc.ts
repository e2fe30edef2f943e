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
import type { Judgement } from '../judgement.js';
import { readGrpcService, readPositive, type SideService } from './grpc-service.js';
import { decodeConfig, type HttpFilter } from './http-filter.js';

/** An external process that looks at RPCs (A93). */
export interface ExtProcConfig {
  service: SideService | undefined;
  mode: ProcessingMode | undefined;
  failureModeAllow: boolean;
}

export type ExtProcOverride = Partial<ExtProcConfig>;

/** Which parts of an RPC are sent to the process. */
interface ProcessingMode {
  requestHeaders: boolean;
  responseHeaders: boolean;
  responseTrailers: boolean;
  requestBody: boolean;
  responseBody: boolean;
}

const { SEND, SKIP, DEFAULT } = ProcessingModeHeaderSendMode;
const { NONE, GRPC } = ProcessingModeBodySendMode;

function readMode(message: ProcessingModeMessage, j: Judgement): ProcessingMode {
  const sendsHeaders = (name: string, value: number, byDefault: boolean): boolean => {
    if (value !== SEND && value !== SKIP && value !== DEFAULT) {
      j.refuseField(name, `unsupported header processing mode value: ${value}`);
    }
    return value === DEFAULT ? byDefault : value === SEND;
  };
  const sendsBody = (name: string, value: number): boolean => {
    if (value !== NONE && value !== GRPC) j.refuseField(name, `unsupported body processing mode value: ${value}`);
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
    j.refuseField('response_trailer_mode', 'must be set to SEND if response_body_mode is set to GRPC');
  }
  return mode;
}

function readConfig(message: ExternalProcessor, j: Judgement): ExtProcConfig {
  const { processingMode, mutationRules, forwardRules, deferredCloseTimeout } = message;
  const service = j.field('grpc_service', () => readGrpcService(message.grpcService, j));
  const mode = processingMode && j.field('processing_mode', () => readMode(processingMode, j));
  if (mutationRules !== undefined) j.field('mutation_rules', () => checkMutationRules(mutationRules, j));
  checkPatterns('allowed_headers', forwardRules?.allowedHeaders, j);
  checkPatterns('disallowed_headers', forwardRules?.disallowedHeaders, j);
  if (deferredCloseTimeout !== undefined) {
    j.field('deferred_close_timeout', () => readPositive(deferredCloseTimeout, j));
  }
  return { service, mode, failureModeAllow: message.failureModeAllow };
}

/** The segment in the middle is C-core's own. */
function checkMutationRules({ disallowExpression, allowExpression }: HeaderMutationRules, j: Judgement): void {
  const check = (name: string, expression: RegexMatcher | undefined): void => {
    if (expression === undefined) return;
    j.segment(`.header_mutation_rules.${name}`, [name], () => readRegex(expression.regex, '', j));
  };
  check('disallow_expression', disallowExpression);
  check('allow_expression', allowExpression);
}

function checkPatterns(name: string, matchers: ListStringMatcher | undefined, j: Judgement): void {
  if (matchers === undefined) return;
  j.segment(`.forwarding_rules.${name}`, ['forward_rules', name], () => {
    for (const [i, pattern] of matchers.patterns.entries()) j.item('patterns', i, () => readStringMatcher(pattern, j));
  });
}

export const EXT_PROC: HttpFilter = {
  type: ExternalProcessor.typeName,
  overrideType: ExtProcPerRoute.typeName,
  onClients: true,
  onServers: false,
  isEnabled: (switches) => switches.extProcOnClient,
  read: (extension, j) => {
    const message = decodeConfig(ExternalProcessor, extension, 'could not parse ext_proc filter config', j);
    return message && { kind: 'ext_proc', config: readConfig(message, j) };
  },
  readOverride: (extension, j) => {
    const problem = 'could not parse ext_proc filter override config';
    const override = decodeConfig(ExtProcPerRoute, extension, problem, j)?.override;
    if (override?.kind !== 'overrides') return { kind: 'ext_proc', config: undefined };
    const { processingMode, grpcService, failureModeAllow } = override.value;
    const config = j.field('overrides', () => ({
      mode: processingMode && j.field('processing_mode', () => readMode(processingMode, j)),
      service: grpcService && j.field('grpc_service', () => readGrpcService(grpcService, j)),
      failureModeAllow: failureModeAllow ?? false,
    }));
    return { kind: 'ext_proc', config };
  },
};
