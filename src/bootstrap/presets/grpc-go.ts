import { RELEASES } from '../preset-names.js';
import { C_CORE } from './c-core.js';
import { BOTH_FEATURES, type PresetDefinition } from './definition.js';

/** grpc-go 1.85.0, described by its differences from C-core. */
export const GRPC_GO: PresetDefinition = {
  description: 'the behaviour of grpc-go 1.85',
  version: RELEASES['grpc-go'],
  identity: { userAgentName: 'gRPC Go', userAgentVersion: '1.85.0', clientFeatures: BOTH_FEATURES },
  policies: {
    ...C_CORE.policies,
    targetRules: 'grpc-go',
    aggregateLeavesPerRoot: true,
    keepAddresses: true,
    emptyAuthority: 'xdstp:///',
    normalizeScope: true,
    showAllFeatures: true,
    statusTexts: 'grpc-go',
    acceptPartlyValid: false,
    applyEveryOccurrence: false,
    skipUnrequestedTypes: true,
    endOnlyWhileReading: true,
    retryWithoutBackoff: true,
    subscriptionsBelongTo: 'server',
    rememberFailures: false,
    repeatConnectionErrors: true,
    matchDomainsLiterally: true,
    failOnInvalidDomains: true,
    keepUntilUnsubscribed: false,
    showIgnoredDeletions: false,
    omitUnsetTimes: false,
    showAllErrors: false,
    keepRoutesWithoutListener: false,
    waitForReferencedClusters: false,
    tolerateFailedChildren: false,
  },
  switches: {
    dataErrorHandling: false,
    canHandleDataErrors: false,
    canDisableFederation: false,
    canDisableFallback: false,
  },
};
