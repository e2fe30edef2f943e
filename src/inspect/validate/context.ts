import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { type Preset, validatesAsCCore } from '../../bootstrap/preset-names.js';
import { validatorOf } from '../../peers/response-validators.js';
import type { ResourceContext } from '../../resources/context.js';

/** The validation context of a client with this bootstrap. Without a bootstrap, certificate providers cannot be checked. */
export function contextOf(
  bootstrap: Bootstrap | undefined,
  { preset, ...environment }: Pick<ResourceContext, 'switches' | 'variables' | 'interfaces'> & { preset: Preset },
): ResourceContext {
  return {
    ...environment,
    ...(validatesAsCCore(preset) ? {} : validatorOf(preset)),
    certificateProviders: bootstrap && new Set(bootstrap.certificateProviders.keys()),
    trustedServer: bootstrap?.servers[0]?.features.has('trusted_xds_server') ?? false,
    allowedGrpcServices: new Set(bootstrap?.allowedGrpcServices.keys()),
  };
}
