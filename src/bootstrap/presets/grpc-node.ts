import { C_CORE } from './c-core.js';
import type { PresetDefinition } from './definition.js';

/** grpc-js-xds 1.14.1, described by its differences from C-core. */
export const GRPC_NODE: PresetDefinition = {
  description: 'the behaviour of grpc-js-xds 1.14',
  version: '@grpc/grpc-js-xds 1.14.1',
  policies: {
    ...C_CORE.policies,
    continueAfterUnknownType: true,
    backoffFrom: 'stream-start',
    keepBackoff: true,
    subscribeEndsBackoff: true,
    streamErrors: 'not-ok',
    repeatFailures: false,
    timersFrom: 'connection',
    timersOutliveStreams: true,
    ignoreUnsubscribedTypes: true,
    keepVersions: true,
    shareClient: true,
    updates: 'encoded',
    ignoreEqualResources: true,
    keepDeletedResources: true,
    hideIgnoredDeletions: true,
    repeatErrors: false,
    showTypeNames: true,
    showAckedOnly: true,
    showNacksOnly: true,
  },
  switches: {
    dataErrorHandling: false,
    canDisableFallback: false,
    missing: ['dataErrorHandling', 'fallback', 'endpointFallback', 'callCreds', 'extProcOnClient', 'mtlsSpiffe'],
  },
};
