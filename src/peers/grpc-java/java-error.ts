import type { PathStep } from '../../base/problem.js';

/** The Java exceptions with which grpc-java rejects resources. */
const CLASSES = {
  invalid: 'io.grpc.xds.client.XdsResourceType$ResourceInvalidException',
  proto: 'com.google.protobuf.InvalidProtocolBufferException',
  argument: 'java.lang.IllegalArgumentException',
  arithmetic: 'java.lang.ArithmeticException',
  cast: 'java.lang.ClassCastException',
  nullPointer: 'java.lang.NullPointerException',
  numberFormat: 'java.lang.NumberFormatException',
  pattern: 'com.google.re2j.PatternSyntaxException',
  runtime: 'java.lang.RuntimeException',
  status: 'io.grpc.StatusRuntimeException',
} as const;

export type JavaClass = keyof typeof CLASSES;

/** An exception of grpc-java, or an error that one of its parsers returns. It ends the validation of a resource. */
export class JavaError extends Error {
  readonly javaClass: JavaClass;
  /** What Java's `getMessage` returns. */
  detail: string | undefined;
  /** The path to the part that is invalid. */
  readonly steps: PathStep[] = [];

  constructor(javaClass: JavaClass, detail?: string) {
    super(detail);
    this.javaClass = javaClass;
    this.detail = detail;
  }

  /** The name of the class without its package. */
  get simpleName(): string {
    return CLASSES[this.javaClass].replace(/^.*[.$]/, '');
  }

  /** The text of Java's `toString`. */
  get text(): string {
    const name = CLASSES[this.javaClass];
    return this.detail === undefined ? name : `${name}: ${this.detail}`;
  }
}

/** Ends the validation with an error that names the reason, as grpc-java's own checks do. */
export function invalid(detail: string): never {
  throw new JavaError('invalid', detail);
}

export function illegalArgument(detail: string): never {
  throw new JavaError('argument', detail);
}

/**
 * Validates a part of a resource. Its errors get its path, and grpc-java's own errors the text around them. Unexpected
 * exceptions keep their text.
 */
export function within<T>(steps: readonly PathStep[], validate: () => T, wrap?: (detail: string) => string): T {
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof JavaError)) throw error;
    error.steps.unshift(...steps);
    if (wrap !== undefined && error.javaClass === 'invalid') error.detail = wrap(error.detail ?? '');
    throw error;
  }
}

/** Turns exceptions of some classes into errors of grpc-java with another text. */
export function catching<T>(
  classes: readonly JavaClass[],
  validate: () => T,
  describe: (error: JavaError) => string,
): T {
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof JavaError) || !classes.includes(error.javaClass)) throw error;
    const described = new JavaError('invalid', describe(error));
    described.steps.push(...error.steps);
    throw described;
  }
}
