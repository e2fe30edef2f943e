import { fromBytes, parseUri, toBytes } from '../base/uri.js';
import { SERVER_SCOPE, targetParts } from '../bootstrap/target.js';

/** The purpose of an xDS client: a target, the servers of a process, or neither. */
export type ScopeKind =
  | { kind: 'target'; scope: string; dataPlaneAuthority: string }
  | { kind: 'server'; scope: typeof SERVER_SCOPE }
  /** Node has one client for all targets, and control planes identify clients by node. */
  | { kind: 'none'; scope: '' };

/** D17: parses a client_scope in any spelling (`xds:/s`, `xds:s`, `xds:///s`, `#server`, none). */
export function scopeKind(clientScope: string): ScopeKind {
  if (clientScope === '') return { kind: 'none', scope: '' };
  if (clientScope === SERVER_SCOPE) return { kind: 'server', scope: clientScope };
  const uri = /^xds:/i.test(clientScope) ? parseUri(toBytes(clientScope)) : undefined;
  if (uri === undefined) return { kind: 'target', scope: clientScope, dataPlaneAuthority: clientScope };
  const { scope, dataPlaneAuthority } = targetParts(uri);
  return { kind: 'target', scope: fromBytes(scope), dataPlaneAuthority: fromBytes(dataPlaneAuthority) };
}
