import { PRESETS } from '../../bootstrap/presets.js';
import type { Preset } from '../../bootstrap/switches.js';
import type { NodeIdentity } from '../../core/node.js';
import { clientStatus } from '../../csds/client-status.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { ClientStatusResponse } from '../../proto/generated/envoy.service.status.v3.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { printAny } from '../../proto/json/print.js';
import { encode } from '../../proto/message-type.js';
import { shortType } from '../../proto/resource-types.js';
import { jsonText } from '../../view/render/json.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import type { Listing } from './listing.js';

/** `-o csds`: exactly a ClientStatusResponse in proto JSON, as this client would answer a CSDS request. */
export function printClientStatus(
  snapshot: readonly ScopeSnapshot[],
  node: NodeIdentity,
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): void {
  const clients = snapshot.map(({ scope, entries }) => ({ scope, node, entries }));
  const response = clientStatus(clients, {
    policies: PRESETS[args.as as Preset].policies,
    isShown: ({ typeUrl, name, status }) => listing.isShown({ type: shortType(typeUrl), name, status }),
  });
  const printed = printAny(xdsCatalogue, ClientStatusResponse.typeName, encode(ClientStatusResponse, response), {
    showSecrets: false,
  });
  const { '@type': _type, ...json } = printed as Record<string, unknown>;
  env.stdout.write(jsonText(json));
}
