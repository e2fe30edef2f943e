import type { JudgedDump } from '../../csds/judge-dump.js';
import { shortType } from '../../proto/resource-types.js';
import { stateOf } from '../../view/status.js';
import type { RemoteAnswer } from './csds-source.js';

type Json = Record<string, unknown>;
type Shown = (resource: { type: string; name: string; state: string }) => boolean;

const CLIENT_CONFIG = 'envoy.service.status.v3.ClientConfig';

/** Exactly a ClientStatusResponse in proto JSON: all clients of all processes, as they sent it, less what is filtered out. */
export async function csdsJson(answers: readonly RemoteAnswer[], isShown: Shown, showSecrets: boolean): Promise<Json> {
  const { printAny } = await import('../../proto/json/print.js');
  const { xdsCatalogue } = await import('../../proto/json/catalogue.js');
  const config = answers.flatMap(({ clients }) =>
    clients.map(({ judged }) => {
      const printed = printAny(xdsCatalogue, CLIENT_CONFIG, judged.dump.bytes, { showSecrets }) as Json;
      const { '@type': _type, ...message } = printed;
      return filtered(message, judged, isShown);
    }),
  );
  return config.length === 0 ? {} : { config };
}

/** Takes out the entries of resources that are not shown; later ones first, so that places stay as they are. */
function filtered(config: Json, { dump }: JudgedDump, isShown: Shown): Json {
  const hidden = dump.resources.filter(
    (one) => !isShown({ ...one, type: shortType(one.typeUrl), state: stateOf(one) }),
  );
  for (const { path } of hidden.reverse()) {
    const list = path.slice(0, -1).reduce<unknown>((at, step) => (at as Json | undefined)?.[step], config);
    if (Array.isArray(list)) list.splice(path.at(-1) as number, 1);
  }
  return config;
}
