import type { MessageView } from '../message-view.js';
import { unmarshalTo } from './any.js';
import type { GoContext } from './go-context.js';
import { validateGrpcService } from './grpc-service.js';
import { safeRegexError } from './regex.js';
import { reject, within } from './rejection.js';
import { validateStringMatcher } from './string-matcher.js';
import { enumText, printMessage } from './text-format.js';

const PACKAGE = 'envoy.extensions.filters.http.ext_proc.v3';
const BODY_MODE = `${PACKAGE}.ProcessingMode.BodySendMode`;
const HEADER_MODE = `${PACKAGE}.ProcessingMode.HeaderSendMode`;

const NONE = 0;
const GRPC = 5;
const SEND = 1;

export function validateExtProc(any: MessageView, context: GoContext): void {
  const config = unmarshalTo(
    `${PACKAGE}.ExternalProcessor`,
    any,
    (error) => `extproc: failed to unmarshal config ${printMessage(any)}: ${error}`,
  );
  const mode = config.message('processing_mode');
  if (mode === undefined) reject(config, `extproc: missing processing_mode in config ${printMessage(any)}`);
  validateMode(mode);
  validateMutationRules(config.message('mutation_rules'));
  const rules = config.message('forward_rules');
  for (const list of ['allowed_headers', 'disallowed_headers'])
    for (const pattern of rules?.message(list)?.messages('patterns') ?? []) validateStringMatcher(pattern, pattern);
  const service = config.message('grpc_service');
  if (service === undefined) reject(config, `extproc: empty grpc_service provided in config ${printMessage(any)}`);
  validateService(service, context);
}

export function validateExtProcOverride(any: MessageView, context: GoContext): void {
  const config = unmarshalTo(
    `${PACKAGE}.ExtProcPerRoute`,
    any,
    (error) => `extproc: failed to unmarshal override ${printMessage(any)}: ${error}`,
  );
  const overrides = config.message('overrides');
  const mode = overrides?.message('processing_mode');
  if (mode !== undefined) validateMode(mode);
  const service = overrides?.message('grpc_service');
  if (service !== undefined) validateService(service, context);
}

function validateService(service: MessageView, context: GoContext): void {
  within(
    (error) => `extproc: failed to parse grpc_service: ${error}`,
    () => validateGrpcService(service, context),
  );
}

function validateMode(mode: MessageView): void {
  for (const direction of ['request', 'response']) {
    const body = mode.number(`${direction}_body_mode`);
    if (body !== NONE && body !== GRPC)
      reject(mode, `extproc: invalid ${direction} body mode ${enumText(BODY_MODE, body)}: want "NONE" or "GRPC"`);
  }
  const trailer = mode.number('response_trailer_mode');
  if (mode.number('response_body_mode') !== GRPC || trailer === SEND) return;
  const shown = enumText(HEADER_MODE, trailer);
  reject(mode, `extproc: invalid response trailer mode ${shown}: must be "SEND" when response body mode is "GRPC"`);
}

function validateMutationRules(rules: MessageView | undefined): void {
  for (const name of ['allow_expression', 'disallow_expression']) {
    const expression = rules?.message(name);
    const error = expression && safeRegexError(expression.text('regex'));
    if (expression !== undefined && error !== undefined) reject(expression, `httpfilter: ${error}`, 'regex');
  }
}
