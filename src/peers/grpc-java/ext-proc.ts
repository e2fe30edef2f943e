import { checkDuration, comparableNanos, isValidDuration, toNanos } from './duration.js';
import { checkGoogleGrpc } from './google-grpc.js';
import { catching, invalid, within } from './java-error.js';
import { checkStringMatcher } from './matchers.js';
import type { ProtoMessage } from './proto-message.js';
import { compileRegex } from './regex.js';
import type { Settings } from './settings.js';
import { textFormat } from './text-format.js';

/** Checks the config of an ext_proc filter. */
export function checkExtProc(config: ProtoMessage, settings: Settings): void {
  const rules = config.message('mutation_rules');
  for (const name of ['allow_expression', 'disallow_expression'])
    within(['mutation_rules', name, 'regex'], () => checkMutationRegex(rules, name));
  const forward = config.message('forward_rules');
  for (const name of ['allowed_headers', 'disallowed_headers'])
    for (const [index, matcher] of forward.message(name).messages('patterns').entries())
      within(['forward_rules', name, 'patterns', index], () => checkStringMatcher(matcher));
  if (config.has('deferred_close_timeout'))
    within(['deferred_close_timeout'], () => checkCloseTimeout(config.message('deferred_close_timeout')));
  within(['processing_mode'], () => checkMode(config.message('processing_mode')));
  within(['grpc_service'], () => {
    const service = config.message('grpc_service');
    if (!service.has('google_grpc'))
      invalid(
        `Error parsing GrpcService config: Unsupported: GrpcService must have GoogleGrpc, got: ${textFormat(service)}`,
      );
    checkService(service, settings);
  });
}

/** Checks the override of an ext_proc filter. */
export function checkExtProcOverrides(overrides: ProtoMessage, settings: Settings): void {
  within(['overrides', 'processing_mode'], () => checkMode(overrides.message('processing_mode')));
  const service = overrides.message('grpc_service');
  if (service.has('google_grpc')) within(['overrides', 'grpc_service'], () => checkService(service, settings));
}

function checkMutationRegex(rules: ProtoMessage, name: string): void {
  if (!rules.has(name)) return;
  catching(
    ['pattern'],
    () => compileRegex(rules.message(name).string('regex')),
    (error) => `Error parsing HeaderMutationRules: Invalid regex pattern for ${name}: ${error.detail}`,
  );
}

function checkCloseTimeout(timeout: ProtoMessage): void {
  catching(
    ['argument'],
    () => checkDuration(timeout),
    (error) => `Invalid deferred_close_timeout: ${error.detail}`,
  );
  if (toNanos(timeout) <= 0n) invalid('deferred_close_timeout must be positive');
}

function checkMode(mode: ProtoMessage): void {
  for (const name of ['request_body_mode', 'response_body_mode']) {
    const value = mode.enumName(name);
    if (value !== 'GRPC' && value !== 'NONE') invalid(`Invalid ${name}: ${value}. Only GRPC and NONE are supported.`);
  }
  const trailers = mode.enumName('response_trailer_mode');
  if (mode.enumName('response_body_mode') === 'GRPC' && trailers !== 'SEND')
    invalid(
      `Invalid response_trailer_mode: ${trailers}. response_trailer_mode must be SEND if response_body_mode is GRPC.`,
    );
}

function checkService(service: ProtoMessage, settings: Settings): void {
  within(
    [],
    () => {
      checkGoogleGrpc(service.message('google_grpc'), settings);
      for (const header of service.messages('initial_metadata')) checkHeader(header);
      const timeout = service.message('timeout');
      if (service.has('timeout') && (!isValidDuration(timeout) || comparableNanos(timeout) <= 0n))
        invalid('Timeout must be strictly positive and valid');
    },
    (detail) => `Error parsing GrpcService config: ${detail}`,
  );
}

const MAX_HEADER_LENGTH = 16_384;

function checkHeader(header: ProtoMessage): void {
  const key = header.string('key');
  const isBinary = key.endsWith('-bin');
  const length = isBinary ? header.bytes('raw_value').length : header.string('value').length;
  const isAscii = isBinary || /^[\t\x20-\x7e]*$/.test(header.string('value'));
  const isDisallowed =
    key === '' ||
    key.length > MAX_HEADER_LENGTH ||
    key !== key.toLowerCase() ||
    key.startsWith('grpc-') ||
    key.startsWith(':') ||
    key === 'host';
  if (length > MAX_HEADER_LENGTH || !isAscii || isDisallowed) invalid(`Invalid initial metadata header: ${key}`);
}
