import { type ResourceContext, readResourceSwitches } from '../../src/resources/context.js';

/** As a gRPC program has it with nothing set, and data errors on. */
export const CONTEXT: ResourceContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: new Set(['provider1']),
  trustedServer: false,
  allowedGrpcServices: new Set(),
  interfaces: new Map([['lo', 1]]),
};
