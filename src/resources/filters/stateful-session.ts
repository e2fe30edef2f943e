import {
  StatefulSession,
  StatefulSessionPerRoute,
} from '../../proto/generated/envoy.extensions.filters.http.stateful_session.v3.js';
import { CookieBasedSessionState } from '../../proto/generated/envoy.extensions.http.stateful_session.cookie.v3.js';
import { readDurationField } from '../common/duration.js';
import { type Extension, withExtension } from '../common/extension.js';
import type { Judgement } from '../judgement.js';
import { decodeConfig, type HttpFilter } from './http-filter.js';

/** The cookie that ties a session to a backend (A55). */
export interface SessionCookie {
  name: string;
  ttlMs: number;
  path: string;
}

function readSession({ sessionState }: StatefulSession, j: Judgement): SessionCookie | undefined {
  if (sessionState === undefined) return undefined;
  return j.segment('.session_state.typed_config', ['session_state', 'typed_config'], () =>
    withExtension(sessionState.typedConfig, j, (extension) => readState(extension, j)),
  );
}

function readState(extension: Extension, j: Judgement): SessionCookie | undefined {
  if (extension.type !== CookieBasedSessionState.typeName) return j.refuse('unsupported session state type');
  const state = decodeConfig(CookieBasedSessionState, extension, 'could not parse session state config', j);
  if (state === undefined) return undefined;
  return j.field('cookie', () => {
    const { cookie } = state;
    if (cookie === undefined) return j.refuse('field not present');
    if (cookie.name === '') j.refuseField('name', 'field not present');
    return { name: cookie.name, ttlMs: readDurationField('ttl', cookie.ttl, j) ?? 0, path: cookie.path };
  });
}

export const STATEFUL_SESSION: HttpFilter = {
  type: StatefulSession.typeName,
  overrideType: StatefulSessionPerRoute.typeName,
  onClients: true,
  onServers: false,
  read: (extension, j) => {
    const message = decodeConfig(StatefulSession, extension, 'could not parse stateful session filter config', j);
    return message && { kind: 'stateful_session', cookie: readSession(message, j) };
  },
  readOverride: (extension, j) => {
    const problem = 'could not parse stateful session filter override config';
    const override = decodeConfig(StatefulSessionPerRoute, extension, problem, j)?.override;
    const cookie =
      override?.kind === 'statefulSession'
        ? j.field('stateful_session', () => readSession(override.value, j))
        : undefined;
    return { kind: 'stateful_session', cookie };
  },
};
