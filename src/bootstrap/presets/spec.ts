import { MAX_RESPONSE_BYTES } from '../../base/limits.js';
import { STANDARD_CACHE } from '../cache-policies.js';
import { STANDARD_DEPENDENCIES } from '../dependency-policies.js';
import { STANDARD_STREAMS } from '../stream-policies.js';
import type { PresetDefinition } from './definition.js';

/** The gRFCs, with the decisions of this project where they leave a choice. */
export const SPEC: PresetDefinition = {
  description: 'the gRFCs as interpreted by this tool',
  version: undefined,
  identity: undefined,
  policies: {
    ...STANDARD_STREAMS,
    ...STANDARD_CACHE,
    ...STANDARD_DEPENDENCIES,
    continueAfterUnknownType: true,
    notifyDataErrorEnd: true,
    keepReportedErrors: true,
    waitForNamedRoutes: true,
    aggregateLeavesPerRoot: true,
    resourceTimerMs: 15_000,
    transientTimerMs: 30_000,
    emptyAuthority: 'xdstp:///',
    keepAddresses: true,
    batchNotifications: true,
    targetRules: undefined,
    normalizeScope: true,
    decodeScope: false,
    acceptUnnamedTargets: false,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    resubscribeAllOnFallback: true,
    honorStatusRequests: true,
    statusTexts: 'c-core',
    showAllFeatures: true,
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
    dataErrorHandling: true,
    canHandleDataErrors: true,
    canDisableFederation: true,
    canDisableFallback: true,
  },
};
