import { type ResourceContext, readResourceSwitches } from '../../src/resources/context.js';

/** The context of a gRPC program with default settings, and with data error handling on. */
export const CONTEXT: ResourceContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: new Set(['provider1']),
  trustedServer: false,
  allowedGrpcServices: new Set(),
  interfaces: new Map([['lo', 1]]),
};
