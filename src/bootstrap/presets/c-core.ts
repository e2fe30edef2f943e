import { GRPC_MESSAGE_LIMIT_BYTES } from '../../base/limits.js';
import { STANDARD_CACHE } from '../cache-policies.js';
import { STANDARD_DEPENDENCIES } from '../dependency-policies.js';
import { STANDARD_STREAMS } from '../stream-policies.js';
import { BOTH_FEATURES, type PresetDefinition } from './definition.js';

/** The behaviour of C++, Python and Ruby programs. */
export const C_CORE: PresetDefinition = {
  description: 'the exact behaviour of C-core 1.85',
  version: 'C-core 1.85.1',
  identity: { userAgentName: 'gRPC C-core', userAgentVersion: 'C-core 58.0.0', clientFeatures: BOTH_FEATURES },
  policies: {
    ...STANDARD_STREAMS,
    ...STANDARD_CACHE,
    ...STANDARD_DEPENDENCIES,
    continueAfterUnknownType: false,
    notifyDataErrorEnd: false,
    keepReportedErrors: false,
    waitForNamedRoutes: false,
    aggregateLeavesPerRoot: false,
    resourceTimerMs: 15_000,
    transientTimerMs: 15_000,
    emptyAuthority: 'xdstp:/',
    keepAddresses: false,
    batchNotifications: false,
    targetRules: undefined,
    normalizeScope: false,
    decodeScope: false,
    acceptUnnamedTargets: false,
    maxResponseBytes: GRPC_MESSAGE_LIMIT_BYTES,
    resubscribeAllOnFallback: false,
    honorStatusRequests: false,
    statusTexts: 'c-core',
    showAllFeatures: false,
    acceptPartlyValid: true,
    applyEveryOccurrence: true,
    skipUnrequestedTypes: false,
    endOnlyWhileReading: false,
    retryWithoutBackoff: false,
    subscriptionsBelongTo: 'authority',
    rememberFailures: true,
    repeatConnectionErrors: false,
    keepUntilUnsubscribed: true,
    showIgnoredDeletions: true,
    omitUnsetTimes: true,
    showAllErrors: true,
    keepRoutesWithoutListener: true,
    waitForReferencedClusters: true,
    tolerateFailedChildren: true,
  },
  switches: {
    dataErrorHandling: false,
    canHandleDataErrors: true,
    canDisableFederation: true,
    canDisableFallback: false,
  },
};
