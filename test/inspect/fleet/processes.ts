import type { CsdsClient, CsdsResponse } from '../../../src/csds/csds-client.js';
import { type Fleet, fleetOf } from '../../../src/inspect/fleet/fleet.js';
import { FleetInspection } from '../../../src/inspect/fleet/fleet-inspection.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { timestamp } from '../../../src/proto/timestamp.js';
import { VirtualClock } from '../../../src/scenario/virtual-clock.js';
import { bytesOf } from '../../csds/dumps.js';
import { noDns } from '../../support/simulate.js';

/** A cluster in the response of a client. */
export interface Held {
  name?: string;
  version?: string;
  /** What the cluster contains; the same for all clients if omitted. */
  contents?: number;
  /** When it was received. */
  at?: number;
  status?: string;
  /** A rejected version. */
  rejected?: { version: string; message: string; at?: number };
}

/** The response of a process with one client. */
export function responding(...clusters: Held[]): CsdsResponse {
  return { bytes: bytesOf({ config: [clientConfig(clusters)] }) };
}

function clientConfig(clusters: readonly Held[]): object {
  return {
    clientScope: 'xds:///greeter',
    node: { id: 'n' },
    genericXdsConfigs: clusters.map(({ name = 'blue', version, contents = 0, at, status = 'ACKED', rejected }) => ({
      typeUrl: RESOURCE_TYPES.CDS,
      name,
      clientStatus: status,
      ...(version !== undefined && {
        versionInfo: version,
        xdsConfig: { '@type': RESOURCE_TYPES.CDS, name, connectTimeout: `${contents + 1}s` },
      }),
      ...(at !== undefined && { lastUpdated: timestamp(at) }),
      ...(rejected && {
        errorState: {
          versionInfo: rejected.version,
          details: rejected.message,
          ...(rejected.at !== undefined && { lastUpdateAttempt: timestamp(rejected.at) }),
        },
      }),
    })),
  };
}

export const REFUSED: CsdsResponse = { failure: { code: 14, message: 'connect ECONNREFUSED 127.0.0.1:1' } };

/** A process that sends its responses one after the other, and then the last one again. */
export function processWith(...responses: CsdsResponse[]): CsdsClient {
  const next = async (): Promise<CsdsResponse> =>
    (responses.length > 1 ? responses.shift() : responses[0]) as CsdsResponse;
  return { fetch: next, poll: next, close: () => {} };
}

export const SILENT: CsdsClient = {
  fetch: () => new Promise(() => {}),
  poll: () => new Promise(() => {}),
  close: () => {},
};

export function inspectFleet(clients: Record<string, CsdsClient>, pollEveryMs?: number) {
  const clock = new VirtualClock(0);
  const inspection = new FleetInspection({
    clients: new Map(Object.entries(clients)),
    request: new Uint8Array(),
    as: 'spec',
    defaultAuthority: undefined,
    dnsTimeoutMs: 1000,
    pollEveryMs,
    plaintext: true,
    hasNodeMatchers: false,
    ports: { clock, dns: noDns },
  });
  return { clock, inspection };
}

/** Runs pending promise callbacks. */
export const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

/** Reads every process once. */
export async function fleetFrom(responses: Record<string, CsdsResponse>): Promise<Fleet> {
  const clients = Object.entries(responses).map(([address, one]) => [address, processWith(one)]);
  const { inspection, clock } = inspectFleet(Object.fromEntries(clients));
  const reading = inspection.until(() => ({ isMet: false }), { limit: 60_000 });
  for (let i = 0; i < 5; i++) {
    await turn();
    clock.settle();
  }
  await reading;
  return fleetOf(inspection.answers(), () => true);
}
