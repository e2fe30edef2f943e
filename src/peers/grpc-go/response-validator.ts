import { LimitedText } from '../../base/validation-errors.js';
import type { ResourceError } from '../../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import type { ResourceContext } from '../../resources/context.js';
import { RESOURCE_VALIDATORS } from '../../resources/registry.js';
import type { ResponseValidator, ResponseVerdict, ValidatedResource } from '../../resources/response-validator.js';
import type { CachedValidation, ValidationCache } from '../../resources/validation-cache.js';
import { MessageView } from '../message-view.js';
import { canonicalName } from './canonical-name.js';
import { type GoContext, goContextOf } from './go-context.js';
import { quoted } from './go-text.js';
import { modelOf } from './model.js';
import { Panic, Rejection } from './rejection.js';
import { type GoResourceType, RESOURCE_TYPES } from './resource-types.js';
import { printMessage } from './text-format.js';
import { wireError } from './wire.js';

const WRAPPER = 'envoy.service.discovery.v3.Resource';
const PREFIX = 'type.googleapis.com/';

/** Creates the validator of a response in grpc-go, which validates resources whether they are watched or not. */
export function newGrpcGoValidator(
  typeUrl: string,
  context: ResourceContext,
  cache?: ValidationCache,
): ResponseValidator {
  return new GrpcGoValidator(typeUrl, context, cache);
}

class GrpcGoValidator implements ResponseValidator {
  readonly #type: GoResourceType | undefined;
  readonly #context: ResourceContext;
  readonly #goContext: GoContext;
  readonly #cache: ValidationCache | undefined;
  readonly #topLevel: LimitedText = new LimitedText(';\n');
  /** By resource name: the last error of a name replaces earlier ones. */
  readonly #byName = new Map<string, string>();

  constructor(typeUrl: string, context: ResourceContext, cache: ValidationCache | undefined) {
    this.#type = RESOURCE_TYPES.get(typeUrl);
    this.#context = { ...context, keepsInvalidParts: true };
    this.#goContext = goContextOf(context);
    this.#cache = cache;
  }

  validate(any: Any, index: number): ValidatedResource | undefined {
    const type = this.#type;
    if (type === undefined) return undefined;
    const resource = this.#unwrapped(any);
    if (typeof resource === 'string') return this.#rejectedAtTop(index, resource, undefined);
    if (resource.typeUrl !== type.typeUrl) {
      const problem = `${type.unexpected}: ${quoted(resource.typeUrl)} `;
      return this.#rejectedAtTop(index, problem, resource);
    }
    const error = wireError(type.typeName, resource.value);
    if (error !== undefined) return this.#rejectedAtTop(index, `failed to unmarshal resource: ${error}`, resource);
    return this.#validateMessage(any, resource, index, type);
  }

  /** grpc-go does not read the errors that servers report (A88). */
  checkError(_reported: ResourceError, _index: number): void {}

  get verdict(): ResponseVerdict {
    if (this.#type === undefined) return 'IGNORED';
    return this.#isValid ? 'ACK' : 'NACK';
  }

  get nack(): string | undefined {
    if (this.#isValid || this.#type === undefined) return undefined;
    const named = new LimitedText(';\n');
    for (const [name, message] of this.#byName) named.add(`resource ${quoted(name)}: ${message}`);
    const top = this.#topLevel.isEmpty ? '' : `top level errors: ${this.#topLevel.joined}`;
    return `error parsing ${quoted(this.#type.goName)} response: ${top}${named.joined}`;
  }

  get #isValid(): boolean {
    return this.#topLevel.isEmpty && this.#byName.size === 0;
  }

  /** Returns the error text of a wrapper that cannot be decoded. */
  #unwrapped(any: Any): Any | string {
    if (any.typeUrl !== PREFIX + WRAPPER) return any;
    const error = wireError(WRAPPER, any.value);
    if (error !== undefined) return `failed to unwrap resource: ${error}`;
    const inner = new MessageView(WRAPPER, any.value).message('resource');
    return { typeUrl: inner?.text('type_url') ?? '', value: inner?.blob('value') ?? new Uint8Array(0) };
  }

  #rejectedAtTop(index: number, message: string, resource: Any | undefined): ValidatedResource {
    this.#topLevel.add(message);
    return { index, name: undefined, resource, isOwn: false, result: undefined, errors: [message] };
  }

  #validateMessage(sent: Any, resource: Any, index: number, type: GoResourceType): ValidatedResource {
    const message = new MessageView(type.typeName, resource.value);
    const name = message.text(type.nameField);
    if (name === '') return this.#rejectedAtTop(index, `empty resource name in ${type.noun}`, resource);
    const cached = this.#validatedByCCore(resource.value, index, type);
    const rejection = this.#rejectionOf(message, cached, type);
    const kept = { index, resource: { typeUrl: resource.typeUrl, value: cached.bytes }, isOwn: cached.isOwn };
    const cCore = cached.validated.kind === 'validated' ? cached.validated.result : undefined;
    if (rejection === undefined) {
      const result = cCore && modelOf(name, cCore, message);
      return { ...kept, name, result, cCore, errors: [] };
    }
    if (rejection instanceof Panic) {
      const shown = printMessage(MessageView.ofAny(sent));
      const problem = `recovered from panic during resource parsing, resource: ${shown}, panic: ${rejection.message}`;
      return { ...this.#rejectedAtTop(index, problem, resource), cCore };
    }
    const text = rejection.message;
    this.#byName.set(canonicalName(name), text);
    const { path, steps, reason } = rejection;
    const result = {
      ok: false as const,
      name,
      message: text,
      problems: [{ path, steps, reason }],
      ignored: [],
      remarks: [],
    };
    return { ...kept, name, result, cCore, errors: [`resource ${quoted(name)}: ${text}`], watcherMessage: text };
  }

  /** C-core's representation of the resource is the start of grpc-go's. */
  #validatedByCCore(bytes: Uint8Array, index: number, { typeName, typeUrl }: GoResourceType): CachedValidation {
    const cached = this.#cache?.recall(typeUrl, index, bytes);
    if (cached !== undefined) return cached;
    const validate = RESOURCE_VALIDATORS.get(typeName);
    const validated = validate?.(bytes, this.#context) ?? { kind: 'undecodable' as const, message: '' };
    return this.#cache?.remember(typeUrl, index, bytes, validated) ?? { bytes, validated, isOwn: false };
  }

  #rejectionOf(
    message: MessageView,
    { validated, isOwn }: CachedValidation,
    type: GoResourceType,
  ): Rejection | undefined {
    const known = isOwn ? rejections.get(validated) : undefined;
    if (known !== undefined) return known.rejection;
    const rejection = rejectionBy(() => type.validate(message, this.#goContext));
    if (isOwn) rejections.set(validated, { rejection });
    return rejection;
  }
}

/** The results of grpc-go's rules, kept as long as the cache keeps those of C-core's. */
const rejections = new WeakMap<object, { rejection: Rejection | undefined }>();

function rejectionBy(validate: () => void): Rejection | undefined {
  try {
    validate();
    return undefined;
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
}
