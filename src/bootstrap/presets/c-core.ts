import { GRPC_MESSAGE_LIMIT_BYTES } from '../../base/limits.js';
import type { PresetDefinition } from './definition.js';

/** The behaviour of C++, Python and Ruby programs. */
export const C_CORE: PresetDefinition = {
  description: 'the exact behaviour of C-core 1.85',
  version: 'C-core 1.85.1',
  policies: {
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
    normalizeScope: false,
    maxResponseBytes: GRPC_MESSAGE_LIMIT_BYTES,
    resubscribeAllOnFallback: false,
    honorStatusRequests: false,
    showAllFeatures: false,
  },
  switches: { dataErrorHandling: false, canDisableFallback: false },
};
