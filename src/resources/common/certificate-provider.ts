import type { Judgement } from '../judgement.js';

/** A certificate provider of the bootstrap, and which of its certificates. */
export interface ProviderInstance {
  instanceName: string;
  certificateName: string;
}

/** A provider has to be in the bootstrap. Without a bootstrap nobody can tell, so nothing is refused. */
export function readProviderInstance(
  { instanceName, certificateName }: ProviderInstance,
  j: Judgement,
): ProviderInstance {
  const { certificateProviders: known } = j.context;
  if (known === undefined) {
    const reason = `gRPC refuses this unless the bootstrap has a certificate provider "${instanceName}"`;
    j.field('instance_name', () => j.remark('unchecked', reason));
  } else if (!known.has(instanceName)) {
    j.refuseField('instance_name', `unrecognized certificate provider instance name: ${instanceName}`);
  }
  return { instanceName, certificateName };
}
