import { PRESETS } from '../bootstrap/presets.js';
import type { Preset } from '../bootstrap/switches.js';
import type { ClientEnvironment } from '../engine/options.js';
import type { Clock } from '../engine/ports.js';
import type { ClientSetup, Ports } from '../inspect/source.js';
import type { CliEnvironment } from './environment.js';
import { interfacesByName } from './network-interfaces.js';

/** The settings of this machine and process that affect a client. */
export function localEnvironment(
  preset: Preset,
  variables: ClientEnvironment['variables'],
  userAgent: { name?: string | undefined; version?: string | undefined },
  clock: Clock,
): ClientEnvironment {
  return {
    preset,
    variables,
    userAgentName: userAgent.name ?? 'xds-inspect',
    userAgentVersion: userAgent.version ?? '',
    interfaces: interfacesByName(),
    seed: clock.now(),
  };
}

/** The connections of the environment, or real ones. grpc-js is loaded on use. */
export async function livePorts(
  { dial, environment: { preset } }: Pick<ClientSetup, 'dial' | 'environment'>,
  { clock, network }: Pick<CliEnvironment, 'clock' | 'network'>,
): Promise<Ports> {
  if (network !== undefined) return { clock, ...network };
  const [{ GrpcTransport }, { systemDns }, { limitHeapGrowth }] = await Promise.all([
    import('./grpc-transport.js'),
    import('./system-dns.js'),
    import('./heap-growth.js'),
  ]);
  const { maxResponseBytes } = PRESETS[preset].policies;
  return {
    clock,
    transport: new GrpcTransport({ maxResponseBytes, onLargeResponse: limitHeapGrowth, dial }),
    dns: systemDns,
  };
}
