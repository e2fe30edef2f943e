import { RELEASES } from '../preset-names.js';
import { C_CORE } from './c-core.js';
import { BOTH_FEATURES, type PresetDefinition } from './definition.js';

/** grpc-java 1.85.1, described by its differences from C-core. */
export const GRPC_JAVA: PresetDefinition = {
  description: 'the behaviour of grpc-java 1.85',
  version: RELEASES['grpc-java'],
  identity: { userAgentName: 'gRPC Java', userAgentVersion: '1.85.1', clientFeatures: BOTH_FEATURES },
  policies: {
    ...C_CORE.policies,
    continueAfterUnknownType: true,
    targetRules: 'grpc-java',
    transientTimerMs: 30_000,
    statusTexts: 'grpc-java',
    showAllFeatures: true,
    readResourceErrors: false,
    acceptPartlyValid: false,
    applyEveryOccurrence: false,
    notifyInHashOrder: true,
    preferValidOccurrence: true,
    showIgnoredDeletions: false,
    showAllErrors: false,
    rejectWithWholeNack: true,
    forgetUnwatchedTypes: true,
    waitForReady: false,
    countAgeAsBackoff: true,
    countIgnoredResponses: true,
    endStreamOnMalformed: true,
    restartResourceTimers: true,
    omissionProvesAbsence: true,
    showMetadataOnly: true,
    keepUnusedStreams: true,
    notifyNewWatchersOfFailure: false,
    subscribeOnlyOnActive: true,
    fallBackUntilResolved: true,
    domainOrder: 'length',
    collectWatches: true,
    keepAddresses: true,
  },
  switches: {
    dataErrorHandling: false,
    canHandleDataErrors: true,
    canDisableFederation: false,
    canDisableFallback: true,
  },
};
