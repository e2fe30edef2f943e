import type { JsonNode } from '../base/json/node.js';
import type { BootstrapNode } from '../bootstrap/bootstrap.js';
import type { Policies } from '../bootstrap/policies.js';
import { BOTH_FEATURES } from '../bootstrap/presets/definition.js';
import { STANDARD_STREAMS } from '../bootstrap/stream-policies.js';
import { Locality, Node } from '../proto/generated/envoy.config.core.v3.js';
import { Struct, Value } from '../proto/generated/google.protobuf.js';

/** The identity that the client sends to xDS servers. */
export interface NodeIdentity {
  id: string;
  userAgentName: string;
  userAgentVersion: string;
  /** Absent: both features of R1.6. */
  clientFeatures?: readonly string[];
  /** The other fields of the bootstrap's node, sent unchanged. */
  bootstrap?: Pick<BootstrapNode, 'cluster' | 'locality' | 'metadata'>;
}

/** The node in CSDS. D22: C-core omits the client feature that concerns only ADS. */
export function statusNode(identity: NodeIdentity, policies: Policies): Node {
  const node = nodeMessage(identity, policies);
  return policies.showAllFeatures ? node : { ...node, clientFeatures: node.clientFeatures.slice(0, 1) };
}

export function nodeMessage(
  identity: NodeIdentity,
  { sendEmptyLocality }: Pick<Policies, 'sendEmptyLocality'> = STANDARD_STREAMS,
): Node {
  const { id, userAgentName, userAgentVersion, clientFeatures = BOTH_FEATURES, bootstrap } = identity;
  const { region = '', zone = '', subZone = '' } = bootstrap?.locality ?? {};
  const hasLocality = sendEmptyLocality || region !== '' || zone !== '' || subZone !== '';
  return Node.create({
    id,
    cluster: bootstrap?.cluster ?? '',
    metadata: bootstrap?.metadata && structOf(bootstrap.metadata),
    locality: hasLocality ? Locality.create({ region, zone, subZone }) : undefined,
    userAgentName,
    userAgentVersionType: { kind: 'userAgentVersion', value: userAgentVersion },
    clientFeatures: [...clientFeatures],
  });
}

function structOf(node: JsonNode): Struct {
  const fields = node.kind === 'object' ? [...node.fields] : [];
  return Struct.create({ fields: new Map(fields.map(([key, { node: value }]) => [key, valueFrom(value)])) });
}

function valueFrom(node: JsonNode): Value {
  switch (node.kind) {
    case 'object':
      return Value.create({ kind: { kind: 'structValue', value: structOf(node) } });
    case 'array':
      return Value.create({ kind: { kind: 'listValue', value: { values: node.elements.map(valueFrom) } } });
    case 'string':
      return Value.create({ kind: { kind: 'stringValue', value: node.value } });
    case 'number':
      return Value.create({ kind: { kind: 'numberValue', value: Number(node.text) } });
    case 'boolean':
      return Value.create({ kind: { kind: 'boolValue', value: node.value } });
    default:
      return Value.create({ kind: { kind: 'nullValue', value: 0 } });
  }
}
