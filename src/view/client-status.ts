import { PRESETS } from '../bootstrap/presets.js';
import { clientStatus } from '../csds/client-status.js';
import type { InspectionResult } from '../inspect/inspection-result.js';
import type { IsShown } from '../inspect/resource-filter.js';
import { ClientStatusResponse } from '../proto/generated/envoy.service.status.v3.js';
import { xdsCatalogue } from '../proto/json/catalogue.js';
import { printAny } from '../proto/json/print.js';
import { encode } from '../proto/message-type.js';
import { shortType } from '../proto/resource-types.js';

/** A ClientStatusResponse in proto JSON: the response of this client to a CSDS request. */
export function clientStatusJson(
  { snapshot, node, as }: InspectionResult,
  isShown: IsShown,
  showSecrets: boolean,
): unknown {
  const clients = snapshot.map(({ scope, entries }) => ({ scope, node, entries }));
  const response = clientStatus(clients, {
    policies: PRESETS[as].policies,
    isShown: ({ typeUrl, name, status }) => isShown({ type: shortType(typeUrl), name, status }),
  });
  const bytes = encode(ClientStatusResponse, response);
  return withoutType(printAny(xdsCatalogue, ClientStatusResponse.typeName, bytes, { showSecrets }));
}

/** A message in proto JSON, without the `@type` of an Any. */
export function withoutType(printed: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(printed as object).filter(([key]) => key !== '@type'));
}
