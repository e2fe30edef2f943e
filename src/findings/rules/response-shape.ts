import { GRPC_MESSAGE_LIMIT_BYTES } from '../../base/limits.js';
import type { ResponseEvent } from '../../core/event.js';
import { isCompleteInEveryResponse, shortType } from '../../proto/resource-types.js';
import { listed } from '../message-text.js';
import { isOverLimit } from '../over-limit.js';
import type { Report, Rule } from '../rule.js';

/** What a response is like, whatever it answers: its size, the types in it, and names that it speaks of twice. */
export function responseShape(report: Report): Rule {
  const size = (event: ResponseEvent): void => {
    if (event.bytes <= GRPC_MESSAGE_LIMIT_BYTES) return;
    const { at, scope, server, typeUrl, version, bytes } = event;
    const message = `${shortType(typeUrl)} version ${version} has ${bytes} bytes; the usual limit of gRPC is ${GRPC_MESSAGE_LIMIT_BYTES}`;
    report({ code: 'XI215', at, scope, server, typeUrl, message });
  };
  return {
    response(event) {
      size(event);
      const { at, scope, server, typeUrl, version, names, errors, heartbeats, otherTypes } = event;
      const who = { at, scope, server, typeUrl };
      const what = `${shortType(typeUrl)} version ${version}`;
      if (otherTypes.length > 0) {
        const others = otherTypes.map((type) => (type === '' ? '(no type)' : shortType(type))).join(', ');
        report({ ...who, code: 'XI210', message: `${what} holds resources of another type: ${others}` });
      }
      if (heartbeats.length > 0) {
        const effect = isCompleteInEveryResponse(typeUrl) ? ', which C-core takes for a deletion' : '';
        const message = `${what} has a TTL heartbeat instead of ${listed(heartbeats)}${effect}`;
        report({ ...who, code: 'XI218', names: heartbeats, message });
      }
      if (errors.length === 0) return;
      const failed = new Set(errors.map(({ name }) => name));
      const both = names.filter((name) => name !== '' && failed.has(name));
      if (both.length === 0) return;
      const message = `${what} has ${listed(both)} both as a resource and as an error`;
      report({ ...who, code: 'XI211', names: both, message });
    },
    ignoredResponse: size,
    /** A client with the usual limit ends the stream itself. */
    stream({ at, scope, server, status }) {
      if (status === undefined || !isOverLimit(status)) return;
      report({
        code: 'XI215',
        at,
        scope,
        server,
        message: `A response is too large for this client: ${status.message}`,
      });
    },
  };
}
