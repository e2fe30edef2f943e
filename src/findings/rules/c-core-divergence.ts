import type { ErrorEvent, ResponseEvent } from '../../core/event.js';
import { isCompleteInEveryResponse, shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

type ActiveError = Pick<ErrorEvent, 'typeUrl' | 'name' | 'cause'>;

const DATA_ERRORS: ReadonlySet<string> = new Set(['nack', 'deletion', 'server-error']);
/** Limit per client and server. */
const MAX_ACTIVE_ERRORS = 100;

/** Detects where C-core ends in another state than the gRFCs require. */
export function cCoreDivergence(report: Report): Rule {
  /** Data errors of cached resources, by client and server. */
  const activeErrors = new Map<string, Map<string, ActiveError>>();
  const keyOf = ({ scope, server }: { scope: string; server: string }): string => `${scope} ${server}`;

  /** D3: a response with neither the resource nor its error does not clear the error. */
  function reportForgotten(
    { at, scope, server, typeUrl, version, names, errors }: ResponseEvent,
    error: ActiveError,
  ): void {
    if (error.typeUrl !== typeUrl || error.cause !== 'server-error') return;
    if (names.includes(error.name) || errors.some(({ name }) => name === error.name)) return;
    const message = `C-core treats ${shortType(typeUrl)} ${error.name} as deleted: version ${version} has neither the resource nor its error`;
    report({ code: 'XI223', at, scope, server, typeUrl, names: [error.name], message });
  }

  return {
    error(event) {
      const { typeUrl, name, cause, effect } = event;
      const known = activeErrors.get(keyOf(event)) ?? new Map<string, ActiveError>();
      const key = `${typeUrl} ${name}`;
      if (!DATA_ERRORS.has(cause) || effect !== 'kept') known.delete(key);
      else if (known.size < MAX_ACTIVE_ERRORS) known.set(key, { typeUrl, name, cause });
      if (known.size > 0) activeErrors.set(keyOf(event), known);
    },
    response(event) {
      if (!isCompleteInEveryResponse(event.typeUrl)) return;
      for (const one of activeErrors.get(keyOf(event))?.values() ?? []) reportForgotten(event, one);
    },
    /** D2: the valid resource equals the cached one, so C-core does not notify watchers that the error cleared (R4.8). */
    resource(event) {
      const { at, scope, server, typeUrl, name, version, change } = event;
      const isKnown = activeErrors.get(keyOf(event))?.delete(`${typeUrl} ${name}`);
      if (isKnown !== true || change !== 'cleared') return;
      const message = `C-core still reports the error of ${shortType(typeUrl)} ${name}, which version ${version} clears`;
      report({ code: 'XI223', at, scope, server, typeUrl, names: [name], message });
    },
    /** After a reconnect, C-core does notify watchers. */
    stream: (event) => void activeErrors.delete(keyOf(event)),
  };
}
