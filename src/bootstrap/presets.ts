import type { Policies } from './policies.js';
import type { Preset } from './preset-names.js';
import { C_CORE } from './presets/c-core.js';
import type { PresetDefinition } from './presets/definition.js';
import { GRPC_GO } from './presets/grpc-go.js';
import { GRPC_JAVA } from './presets/grpc-java.js';
import { GRPC_NODE } from './presets/grpc-node.js';
import { SPEC } from './presets/spec.js';

/** What each client does. To add a client, name it in `RELEASES` and add its definition here. */
export const PRESETS: Readonly<Record<Preset, PresetDefinition>> = {
  spec: SPEC,
  'c-core': C_CORE,
  'grpc-go': GRPC_GO,
  'grpc-java': GRPC_JAVA,
  'grpc-node': GRPC_NODE,
};

export function policiesOf(preset: Preset): Policies {
  return PRESETS[preset].policies;
}
