import { MAX_RESPONSE_BYTES } from '../../base/limits.js';
import type { PresetDefinition } from './definition.js';

/** The gRFCs, with the decisions of this project where they leave a choice. */
export const SPEC: PresetDefinition = {
  description: 'the gRFCs as interpreted by this tool',
  version: undefined,
  policies: {
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
    normalizeScope: true,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    resubscribeAllOnFallback: true,
    honorStatusRequests: true,
    showAllFeatures: true,
  },
  switches: { dataErrorHandling: true, canDisableFallback: true },
};
