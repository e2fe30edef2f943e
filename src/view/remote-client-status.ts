import type { ValidatedDump } from '../csds/validate-dump.js';
import type { RemoteAnswer } from '../inspect/remote-answer.js';
import type { IsShown } from '../inspect/resource-filter.js';
import { xdsCatalogue } from '../proto/json/catalogue.js';
import { printAny } from '../proto/json/print.js';
import { shortType } from '../proto/resource-types.js';
import { withoutType } from './client-status.js';
import { stateOf } from './status.js';

type Json = Record<string, unknown>;
const CLIENT_CONFIG = 'envoy.service.status.v3.ClientConfig';

/** A ClientStatusResponse in proto JSON: all clients of all processes as they sent it, without filtered resources. */
export function remoteClientStatus(answers: readonly RemoteAnswer[], isShown: IsShown, showSecrets: boolean): Json {
  const config = answers.flatMap(({ clients }) =>
    clients.map(({ validated }) => {
      const message = withoutType(printAny(xdsCatalogue, CLIENT_CONFIG, validated.dump.bytes, { showSecrets }));
      return filtered(message, validated, isShown);
    }),
  );
  return config.length === 0 ? {} : { config };
}

/** Removes the entries of hidden resources, in reverse order to keep the other indexes valid. */
function filtered(config: Json, { dump }: ValidatedDump, isShown: IsShown): Json {
  const hidden = dump.resources.filter(
    (one) => !isShown({ type: shortType(one.typeUrl), name: one.name, status: stateOf(one) }),
  );
  for (const { path } of hidden.reverse()) {
    const list = path.slice(0, -1).reduce<unknown>((at, step) => (at as Json | undefined)?.[step], config);
    if (Array.isArray(list)) list.splice(path.at(-1) as number, 1);
  }
  return config;
}
