import type { Validation } from '../validation.js';

/** A certificate provider in the bootstrap and the name of one of its certificates. */
export interface ProviderInstance {
  instanceName: string;
  certificateName: string;
}

/** Checks that the bootstrap has the provider. Without a bootstrap, adds a remark instead of an error. */
export function readProviderInstance(
  { instanceName, certificateName }: ProviderInstance,
  validation: Validation,
): ProviderInstance {
  const { certificateProviders: known } = validation.context;
  if (known === undefined) {
    const reason = `gRPC rejects this unless the bootstrap has a certificate provider "${instanceName}"`;
    validation.field('instance_name', () => validation.remark('unchecked', reason));
  } else if (!known.has(instanceName)) {
    validation.addFieldError('instance_name', `unrecognized certificate provider instance name: ${instanceName}`);
  }
  return { instanceName, certificateName };
}
