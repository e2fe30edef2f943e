import { GRPC_MESSAGE_LIMIT_BYTES, overLimitText } from '../../base/limits.js';
import type { ResponseEvent } from '../../core/event.js';
import { isCompleteInEveryResponse, shortType } from '../../proto/resource-types.js';
import { listed } from '../message-text.js';
import { isOverLimit } from '../over-limit.js';
import type { Report, Rule } from '../rule.js';

/** Checks a response by itself: its size, the types of its resources, heartbeats, and names that it contains twice. */
export function responseShape(report: Report): Rule {
  const checkSize = (event: ResponseEvent): void => {
    if (event.bytes <= GRPC_MESSAGE_LIMIT_BYTES) return;
    const { at, scope, server, typeUrl, version, bytes } = event;
    const message = `${shortType(typeUrl)} version ${version} has ${bytes} bytes; the default limit of gRPC is ${GRPC_MESSAGE_LIMIT_BYTES}`;
    report({ code: 'XI215', at, scope, server, typeUrl, message });
  };
  return {
    response(event) {
      checkSize(event);
      const { at, scope, server, typeUrl, version, names, errors, heartbeats, otherTypes } = event;
      const who = { at, scope, server, typeUrl };
      const what = `${shortType(typeUrl)} version ${version}`;
      if (otherTypes.length > 0) {
        const others = otherTypes.map((type) => (type === '' ? '(no type)' : shortType(type))).join(', ');
        report({ ...who, code: 'XI210', message: `${what} contains resources of another type: ${others}` });
      }
      if (heartbeats.length > 0) {
        const effect = isCompleteInEveryResponse(typeUrl) ? ', which C-core treats as a deletion' : '';
        const message = `${what} has a TTL heartbeat instead of ${listed(heartbeats)}${effect}`;
        report({ ...who, code: 'XI218', names: heartbeats, message });
      }
      if (errors.length === 0) return;
      const failed = new Set(errors.map(({ name }) => name));
      const both = names.filter((name) => name !== '' && failed.has(name));
      if (both.length === 0) return;
      const message = `${what} contains ${listed(both)} both as a resource and as an error`;
      report({ ...who, code: 'XI211', names: both, message });
    },
    ignoredResponse: checkSize,
    /** A client with the default limit ends the stream itself. */
    stream({ at, scope, server, status }) {
      if (status === undefined || !isOverLimit(status)) return;
      report({
        code: 'XI215',
        at,
        scope,
        server,
        message: `The server sends ${overLimitText(status.message) ?? 'a response that is too large'}: ${status.message}`,
      });
    },
  };
}
