import type { MessageType } from '../../proto/message-type.js';
import { decode } from '../../proto/message-type.js';
import type { Extension } from '../common/extension.js';
import type { ResourceSwitches } from '../context.js';
import type { Validation } from '../validation.js';
import type { ExtProcConfig, ExtProcOverride } from './ext-proc.js';
import type { FaultConfig } from './fault.js';
import type { MatcherTree } from './matcher-tree.js';
import type { RbacConfig } from './rbac.js';
import type { SessionCookie } from './stateful-session.js';

/** The config of an HTTP filter in a listener, or an override of it. */
export type FilterConfig =
  | { kind: 'router' }
  | { kind: 'fault'; fault: FaultConfig }
  | { kind: 'rbac'; rbac: RbacConfig | undefined }
  | { kind: 'stateful_session'; cookie: SessionCookie | undefined }
  | { kind: 'gcp_authn'; cacheSize: bigint }
  | { kind: 'composite'; matcher: MatcherTree | undefined }
  | { kind: 'ext_proc'; config: ExtProcConfig | ExtProcOverride | undefined };

/** The location of a filter config. C-core parses it twice in a server listener. */
type Placement = 'server listener' | 'elsewhere';

/** An HTTP filter that C-core supports. */
export interface HttpFilter {
  type: string;
  /** `undefined` if the config cannot be overridden. */
  overrideType?: string;
  onClients: boolean;
  onServers: boolean;
  isTerminal?: true;
  /** `undefined` if no switch disables the filter. */
  isEnabled?(switches: ResourceSwitches): boolean;
  read(extension: Extension, validation: Validation, placement: Placement): FilterConfig | undefined;
  readOverride?(extension: Extension, validation: Validation): FilterConfig | undefined;
}

/** Decodes the config of a filter. JSON from a TypedStruct is an error. */
export function decodeConfig<T>(
  type: MessageType<T>,
  { value }: Extension,
  problem: string,
  validation: Validation,
): T | undefined {
  const decoded = value.kind === 'bytes' ? decode(type, value.bytes) : undefined;
  return decoded?.ok ? decoded.value : validation.addError(problem);
}
