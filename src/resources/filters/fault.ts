import { HTTPFault } from '../../proto/generated/envoy.extensions.filters.http.fault.v3.js';
import type { FractionalPercent } from '../../proto/generated/envoy.type.v3.js';
import { readDuration } from '../common/duration.js';
import type { Extension } from '../common/extension.js';
import { type Fraction, fraction } from '../common/fraction.js';
import type { Validation } from '../validation.js';
import { decodeConfig, type FilterConfig, type HttpFilter } from './http-filter.js';

/** Faults that a client injects into its own RPCs (A33). */
export interface FaultConfig {
  abort: { grpcStatus: number; fromHeaders: boolean; share: Fraction } | undefined;
  delay: { ms: number; fromHeaders: boolean; share: Fraction } | undefined;
  maxActiveFaults: number | undefined;
}

const LAST_STATUS = 16;
const UNKNOWN_STATUS = 2;

/** The gRPC status code of each HTTP status code. */
const STATUS_OF_HTTP: Record<number, number | undefined> = {
  200: 0,
  400: 13,
  401: 16,
  403: 7,
  404: 12,
  429: 14,
  502: 14,
  503: 14,
  504: 14,
};

function readFault(extension: Extension, validation: Validation): FilterConfig | undefined {
  const message = decodeConfig(HTTPFault, extension, 'could not parse fault injection filter config', validation);
  if (message === undefined) return undefined;
  return {
    kind: 'fault',
    fault: {
      abort: readAbort(message, validation),
      delay: readDelay(message, validation),
      maxActiveFaults: message.maxActiveFaults,
    },
  };
}

function readAbort({ abort }: HTTPFault, validation: Validation): FaultConfig['abort'] {
  if (abort === undefined) return undefined;
  const { errorType } = abort;
  const fromHeaders = errorType?.kind === 'headerAbort';
  const rest = { fromHeaders, share: share(abort.percentage) };
  if (errorType?.kind === 'grpcStatus' && errorType.value !== 0) {
    if (errorType.value > LAST_STATUS) {
      // C-core prints the status code as a signed 32-bit integer.
      validation.segment('.abort.grpc_status', ['abort', 'grpc_status'], () =>
        validation.addError(`invalid gRPC status code: ${errorType.value | 0}`),
      );
    }
    return { grpcStatus: errorType.value, ...rest };
  }
  const http = errorType?.kind === 'httpStatus' ? errorType.value : 0;
  return { grpcStatus: http === 0 ? 0 : (STATUS_OF_HTTP[http] ?? UNKNOWN_STATUS), ...rest };
}

function readDelay({ delay }: HTTPFault, validation: Validation): FaultConfig['delay'] {
  if (delay === undefined) return undefined;
  const specifier = delay.faultDelaySecifier;
  const ms =
    specifier?.kind === 'fixedDelay'
      ? validation.segment('.delay.fixed_delay', ['delay', 'fixed_delay'], () =>
          readDuration(specifier.value, validation),
        )
      : 0;
  return { ms, fromHeaders: specifier?.kind === 'headerDelay', share: share(delay.percentage) };
}

function share(percentage: FractionalPercent | undefined): Fraction {
  return percentage === undefined ? { numerator: 0, denominator: 100 } : fraction(percentage);
}

export const FAULT: HttpFilter = {
  type: HTTPFault.typeName,
  overrideType: HTTPFault.typeName,
  onClients: true,
  onServers: false,
  read: readFault,
  readOverride: readFault,
};
