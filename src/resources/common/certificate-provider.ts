import type { Validation } from '../validation.js';

/** A certificate provider of the bootstrap, and which of its certificates. */
export interface ProviderInstance {
  instanceName: string;
  certificateName: string;
}

/** A provider has to be in the bootstrap. Without a bootstrap nobody can tell, so nothing is refused. */
export function readProviderInstance(
  { instanceName, certificateName }: ProviderInstance,
  validation: Validation,
): ProviderInstance {
  const { certificateProviders: known } = validation.context;
  if (known === undefined) {
    const reason = `gRPC refuses this unless the bootstrap has a certificate provider "${instanceName}"`;
    validation.field('instance_name', () => validation.remark('unchecked', reason));
  } else if (!known.has(instanceName)) {
    validation.addFieldError('instance_name', `unrecognized certificate provider instance name: ${instanceName}`);
  }
  return { instanceName, certificateName };
}
