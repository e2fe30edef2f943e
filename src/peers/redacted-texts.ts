import type { ResourceError } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { typeNameOf } from '../proto/json/type-name.js';
import type { Redactor } from '../proto/redactor.js';
import type { NewResponseValidator, ResponseValidator, ValidatedResource } from '../resources/response-validator.js';
import { xdsRedactor } from '../resources/xds-redactor.js';

let redactor: Redactor | undefined;

/**
 * Some implementations print whole resources in their NACKs. The verdicts are about the resources as they are, but the
 * texts about rejected resources with secrets come from their redacted copies.
 */
export function withRedactedTexts(newValidator: NewResponseValidator): NewResponseValidator {
  return (typeUrl, context, cache, isWatched) =>
    new RedactedTexts(newValidator(typeUrl, context, cache, isWatched), () =>
      newValidator(typeUrl, context, undefined, isWatched),
    );
}

class RedactedTexts implements ResponseValidator {
  readonly #actual: ResponseValidator;
  readonly #newShown: () => ResponseValidator;
  /** Validates the redacted copies of rejected resources. */
  #shown: ResponseValidator | undefined;
  #hasSecrets = false;

  constructor(actual: ResponseValidator, newShown: () => ResponseValidator) {
    this.#actual = actual;
    this.#newShown = newShown;
  }

  validate(any: Any, index: number): ValidatedResource | undefined {
    const validated = this.#actual.validate(any, index);
    if (validated === undefined || validated.errors.length === 0) return validated;
    redactor ??= xdsRedactor();
    const value = redactor.redact(typeNameOf(any.typeUrl), any.value);
    this.#shown ??= this.#newShown();
    const shown = this.#shown.validate({ ...any, value }, index);
    if (value === any.value) return validated;
    this.#hasSecrets = true;
    const { errors = [], result, watcherMessage = HIDDEN } = shown ?? {};
    return { ...validated, errors, result: result?.ok === false ? result : undefined, watcherMessage };
  }

  checkError(reported: ResourceError, index: number): void {
    this.#actual.checkError(reported, index);
    this.#shown?.checkError(reported, index);
  }

  get verdict(): ResponseValidator['verdict'] {
    return this.#actual.verdict;
  }

  get nack(): string | undefined {
    return this.#hasSecrets ? (this.#shown?.nack ?? HIDDEN) : this.#actual.nack;
  }

  get watcherMessage(): string | undefined {
    return this.#hasSecrets ? this.#shown?.watcherMessage : this.#actual.watcherMessage;
  }
}

/** The redacted copies are valid. */
const HIDDEN = 'invalid resources with secrets';
