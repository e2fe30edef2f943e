import { PRESET_NAMES } from '../bootstrap/preset-names.js';
import { PRESETS } from '../bootstrap/presets.js';
import type { Preset } from '../bootstrap/switches.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';

/** The implementation of a client, as its node states it. */
export interface RecognizedClient {
  /** user_agent_name */
  implementation: string;
  /** user_agent_version */
  version: string;
  /** The preset of that implementation. */
  preset: Preset;
  /** Whether the preset reproduces this version. */
  exact: boolean;
}

/** Recognises the implementation of a client; undefined if no preset reproduces it. */
export function recognizedClient(node: Node | undefined): RecognizedClient | undefined {
  const implementation = node?.userAgentName ?? '';
  const { userAgentVersionType: type } = node ?? {};
  const version = type?.kind === 'userAgentVersion' ? type.value : '';
  for (const preset of PRESET_NAMES) {
    const { identity } = PRESETS[preset];
    if (identity === undefined || !beginsWith(implementation, identity.userAgentName)) continue;
    return { implementation, version, preset, exact: beginsWith(version, identity.userAgentVersion) };
  }
  return undefined;
}

/** C-core appends the platform and the language: `gRPC C-core linux Python`. */
function beginsWith(text: string, words: string): boolean {
  return text === words || text.startsWith(`${words} `);
}

/** `gRPC Go 1.71.0: shown as grpc-go 1.85.0` */
export function recognizedText({ implementation, version, preset }: RecognizedClient): string {
  const stated = version.includes(' ') ? `${implementation} (${version})` : `${implementation} ${version}`.trim();
  return `${stated}: shown as ${PRESETS[preset].version}`;
}
