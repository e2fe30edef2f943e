import type { ErrorEvent, ResponseEvent } from '../../core/event.js';
import { isCompleteInEveryResponse, shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

type ActiveError = Pick<ErrorEvent, 'typeUrl' | 'name' | 'cause'>;

const DATA: ReadonlySet<string> = new Set(['nack', 'deletion', 'server-error']);
/** So many errors are remembered of a client and a server. */
const MAX_STANDING = 100;

/** Where C-core makes something else of what a server says than the gRFCs do. */
export function cCoreDivergence(report: Report): Rule {
  /** Data errors that stand beside a resource, by client and server. */
  const standing = new Map<string, Map<string, ActiveError>>();
  const keyOf = ({ scope, server }: { scope: string; server: string }): string => `${scope} ${server}`;

  /** D3: a response that says neither this nor that does not take an error back. */
  function forgotten({ at, scope, server, typeUrl, version, names, errors }: ResponseEvent, one: ActiveError): void {
    if (one.typeUrl !== typeUrl || one.cause !== 'server-error') return;
    if (names.includes(one.name) || errors.some(({ name }) => name === one.name)) return;
    const message = `C-core takes ${shortType(typeUrl)} ${one.name} for deleted by version ${version}, which has neither the resource nor its error`;
    report({ code: 'XI223', at, scope, server, typeUrl, names: [one.name], message });
  }

  return {
    error(event) {
      const { typeUrl, name, cause, effect } = event;
      const known = standing.get(keyOf(event)) ?? new Map<string, ActiveError>();
      const key = `${typeUrl} ${name}`;
      if (!DATA.has(cause) || effect !== 'kept') known.delete(key);
      else if (known.size < MAX_STANDING) known.set(key, { typeUrl, name, cause });
      if (known.size > 0) standing.set(keyOf(event), known);
    },
    response(event) {
      if (!isCompleteInEveryResponse(event.typeUrl)) return;
      for (const one of standing.get(keyOf(event))?.values() ?? []) forgotten(event, one);
    },
    /** D2: the good resource is the one before, so C-core tells nobody that its error is over (R4.8). */
    resource(event) {
      const { at, scope, server, typeUrl, name, version, change } = event;
      const isKnown = standing.get(keyOf(event))?.delete(`${typeUrl} ${name}`);
      if (isKnown !== true || change !== 'cleared') return;
      const message = `C-core goes on telling of the error of ${shortType(typeUrl)} ${name}, which is over with version ${version}`;
      report({ code: 'XI223', at, scope, server, typeUrl, names: [name], message });
    },
    /** After a new connection C-core does tell. */
    stream: (event) => void standing.delete(keyOf(event)),
  };
}
