import {
  StatefulSession,
  StatefulSessionPerRoute,
} from '../../proto/generated/envoy.extensions.filters.http.stateful_session.v3.js';
import { CookieBasedSessionState } from '../../proto/generated/envoy.extensions.http.stateful_session.cookie.v3.js';
import { readDurationField } from '../common/duration.js';
import { type Extension, withExtension } from '../common/extension.js';
import type { Validation } from '../validation.js';
import { decodeConfig, type HttpFilter } from './http-filter.js';

/** The cookie that binds a session to an endpoint (A55). */
export interface SessionCookie {
  name: string;
  ttlMs: number;
  path: string;
}

function readSession({ sessionState }: StatefulSession, validation: Validation): SessionCookie | undefined {
  if (sessionState === undefined) return undefined;
  return validation.segment('.session_state.typed_config', ['session_state', 'typed_config'], () =>
    withExtension(sessionState.typedConfig, validation, (extension) => readState(extension, validation)),
  );
}

function readState(extension: Extension, validation: Validation): SessionCookie | undefined {
  if (extension.type !== CookieBasedSessionState.typeName) return validation.addError('unsupported session state type');
  const state = decodeConfig(CookieBasedSessionState, extension, 'could not parse session state config', validation);
  if (state === undefined) return undefined;
  return validation.field('cookie', () => {
    const { cookie } = state;
    if (cookie === undefined) return validation.addError('field not present');
    if (cookie.name === '') validation.addFieldError('name', 'field not present');
    return { name: cookie.name, ttlMs: readDurationField('ttl', cookie.ttl, validation) ?? 0, path: cookie.path };
  });
}

export const STATEFUL_SESSION: HttpFilter = {
  type: StatefulSession.typeName,
  overrideType: StatefulSessionPerRoute.typeName,
  onClients: true,
  onServers: false,
  read: (extension, validation) => {
    const message = decodeConfig(
      StatefulSession,
      extension,
      'could not parse stateful session filter config',
      validation,
    );
    return message && { kind: 'stateful_session', cookie: readSession(message, validation) };
  },
  readOverride: (extension, validation) => {
    const problem = 'could not parse stateful session filter override config';
    const override = decodeConfig(StatefulSessionPerRoute, extension, problem, validation)?.override;
    const cookie =
      override?.kind === 'statefulSession'
        ? validation.field('stateful_session', () => readSession(override.value, validation))
        : undefined;
    return { kind: 'stateful_session', cookie };
  },
};
