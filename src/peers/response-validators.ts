import type { NewResponseValidator } from '../resources/response-validator.js';
import { newGrpcGoValidator } from './grpc-go/response-validator.js';
import { newGrpcJavaValidator } from './grpc-java/response.js';
import { newGrpcNodeValidator } from './grpc-node/response-validator.js';
import { withRedactedTexts } from './redacted-texts.js';

/** The implementations other than C-core that validate responses by their own rules, by the name of their preset. */
const RESPONSE_VALIDATORS: Readonly<Record<string, NewResponseValidator>> = {
  'grpc-go': withRedactedTexts(newGrpcGoValidator),
  'grpc-java': withRedactedTexts(newGrpcJavaValidator),
  'grpc-node': newGrpcNodeValidator,
};

/** The part of a validation context that selects the rules of an implementation. */
export function validatorOf(preset: string): { newValidator?: NewResponseValidator } {
  const newValidator = Object.hasOwn(RESPONSE_VALIDATORS, preset) ? RESPONSE_VALIDATORS[preset] : undefined;
  return newValidator === undefined ? {} : { newValidator };
}
