import { rmSync } from 'node:fs';
import { type RecordedCase, responseOf, TYPE_URLS } from '../../../tools/oracle/recorded-case.js';
import { EnvoyClient } from './envoy-client.js';
import { forEnvoy, KEY_LOG } from './for-envoy.js';
import type { LiveVerdict, LiveVerdicts } from './live-verdict.js';

/** Envoy's ACKs and NACKs of the responses of cases, one after another for each type. */
export async function envoyVerdicts(cases: readonly RecordedCase[]): Promise<LiveVerdicts> {
  const verdicts = new Map<string, LiveVerdict>();
  const ofType = async ([type, typeUrl]: [string, string]): Promise<void> => {
    const client = await EnvoyClient.start(typeUrl);
    try {
      for (const one of cases.filter((each) => each.type === type))
        verdicts.set(one.id, await client.verdictOf(responseOf(forEnvoy(one)).resources));
    } finally {
      client.close();
    }
  };
  try {
    await Promise.all(Object.entries(TYPE_URLS).map(ofType));
  } finally {
    rmSync(KEY_LOG, { force: true });
  }
  return { version: 'Envoy 1.40.0', verdicts };
}
