import { Node } from '../proto/generated/envoy.config.core.v3.js';

/** R1.6: both features, always. The server may then expect no overprovisioning and no Resource wrappers to be refused. */
const CLIENT_FEATURES = ['envoy.lb.does_not_support_overprovisioning', 'xds.config.resource-in-sotw'];

/** Who the client says it is. */
export interface NodeIdentity {
  id: string;
  userAgentName: string;
  userAgentVersion: string;
}

export function nodeMessage(identity: NodeIdentity): Node {
  return Node.create({
    id: identity.id,
    userAgentName: identity.userAgentName,
    userAgentVersionType: { kind: 'userAgentVersion', value: identity.userAgentVersion },
    clientFeatures: CLIENT_FEATURES,
  });
}
