import { certificateFiles, refreshInterval, sameFolder, spiffeKey } from './files.js';
import type { LintContext, LintFinding, LintRule } from './finding.js';
import { ignoredNodeFields, misspeltKeys } from './keys.js';
import { authorities, metadataNumbers, nodeId, nodeLocality, templates } from './names.js';
import { callCreds, credsForAddress, credsTypes, fallbackServers, serverAddresses, serverFeatures } from './servers.js';
import { sources } from './sources.js';

const RULES: readonly LintRule[] = [
  sources,
  misspeltKeys,
  serverAddresses,
  credsForAddress,
  credsTypes,
  callCreds,
  serverFeatures,
  fallbackServers,
  nodeId,
  nodeLocality,
  ignoredNodeFields,
  metadataNumbers,
  templates,
  authorities,
  certificateFiles,
  sameFolder,
  spiffeKey,
  refreshInterval,
];

/** Returns findings about parts of a bootstrap that gRPC accepts silently. */
export function lint(context: LintContext): LintFinding[] {
  return RULES.flatMap((rule) => rule(context));
}
