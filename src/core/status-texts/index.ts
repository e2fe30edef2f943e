import type { Policies } from '../../bootstrap/policies.js';
import { C_CORE_TEXTS } from './c-core.js';
import { GRPC_GO_TEXTS } from './grpc-go.js';
import { GRPC_JAVA_TEXTS } from './grpc-java.js';
import { GRPC_NODE_TEXTS } from './grpc-node.js';
import type { StatusTexts } from './status-texts.js';

const STATUS_TEXTS: Record<Policies['statusTexts'], StatusTexts> = {
  'c-core': C_CORE_TEXTS,
  'grpc-go': GRPC_GO_TEXTS,
  'grpc-java': GRPC_JAVA_TEXTS,
  'grpc-node': GRPC_NODE_TEXTS,
};

export function statusTexts(name: Policies['statusTexts']): StatusTexts {
  return STATUS_TEXTS[name];
}
