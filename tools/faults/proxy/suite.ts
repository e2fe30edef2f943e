import { setTimeout as sleep } from 'node:timers/promises';
import { GrpcTransport, type TransportOptions } from '../../../src/io/grpc-transport.ts';
import { bootstrap } from '../client/bootstrap.ts';
import { fastClock, lastEvents, library, type Running, watchCommand } from '../clients.ts';
import { checkConverged } from '../converged.ts';
import { between, type Lane, type LaneResult, runLanes } from '../lanes.ts';
import { PlaneProcess } from '../plane/plane-process.ts';
import { programs } from '../programs.ts';
import type { Suite, SuiteContext } from '../suite.ts';
import { TlsFront } from '../tls/tls-front.ts';
import { until } from '../until.ts';
import { type Fault, randomFault } from './fault.ts';
import { FaultyProxy } from './faulty-proxy.ts';

type Kind = Fault['kind'];

const KINDS: readonly Kind[] = ['reset', 'close', 'reset', 'close', 'stall', 'slow', 'late', 'refuse', 'duplicate'];

/** Retries of streams, not of connections, are this much faster in lanes of the library. */
const SPEED = 10;

/** A connection that fails before a response makes the next attempt later. So after two of them comes a good one. */
const MAX_EARLY_FAILURES = 2;

/**
 * Node does not report most connection errors of HTTP/2, such as a frame of a wrong size: it sends GOAWAY, and stops
 * reading. So it does not notice the end of the connection either, until a limit of the transport expires. The default
 * keepalive takes 5 minutes and 20 s.
 */
const SHORT_LIMITS: TransportOptions = { connectTimeoutMs: 5000, keepalive: { timeMs: 2000, timeoutMs: 2000 } };

interface ProxyLane {
  name: string;
  kinds: readonly Kind[];
  rounds: { quick: number; full: number };
  isTls?: boolean;
  isCommand?: boolean;
}

const LANES: readonly ProxyLane[] = [
  { name: 'library', kinds: KINDS, rounds: { quick: 20, full: 300 } },
  {
    name: 'library, bits changed below TLS',
    kinds: [...KINDS, 'corrupt', 'corrupt', 'corrupt'],
    rounds: { quick: 20, full: 300 },
    isTls: true,
  },
  { name: 'library, bits changed in plaintext', kinds: ['corrupt', 'none'], rounds: { quick: 20, full: 300 } },
  { name: 'watch', kinds: KINDS, rounds: { quick: 5, full: 60 }, isCommand: true },
];

/** A proxy between client and control plane that breaks, delays and changes connections. */
export const proxySuite: Suite = {
  name: 'proxy',
  summary: 'connections that break at any byte, stall, slow down, change bits, start late or twice',
  quick: false,
  run: async (context) => {
    const { plane } = await programs(context.root);
    const lanes = LANES.map((lane): Lane => ({ name: lane.name, run: (random) => run(context, plane, lane, random) }));
    return await runLanes(context, lanes);
  },
};

async function run(context: SuiteContext, program: string, lane: ProxyLane, random: () => number): Promise<LaneResult> {
  const rounds = context.quick ? lane.rounds.quick : lane.rounds.full;
  const plane = await PlaneProcess.start(program);
  const front = lane.isTls ? await TlsFront.start(plane.port, context.folder) : undefined;
  const proxy = await FaultyProxy.start(front?.port ?? plane.port);
  const uri = bootstrap(proxy.address, front?.creds);
  const disturbed: Running = lane.isCommand ? watchCommand(context.root, uri) : libraryLane(uri, lane);
  const undisturbed = library(bootstrap(plane.address), { name: 'an undisturbed client' });
  const clients = [disturbed, undisturbed];
  try {
    let early = 0;
    for (let round = 1; round <= rounds; round++) {
      const responses = countResponses(disturbed);
      proxy.fault = early < MAX_EARLY_FAILURES ? randomFault(lane.kinds, random) : { kind: 'none' };
      const accepted = proxy.accepted;
      proxy.cutAll(random() < 0.5 ? 'reset' : 'close');
      await until(
        () => proxy.accepted > accepted,
        () => `a new connection of ${disturbed.name} in round ${round}; ${lastEvents(disturbed)}`,
      );
      for (let left = between(random, 1, 5); left > 0; left--) {
        plane.serve(plane.revision + between(random, 1, 3));
        await sleep(between(random, 0, 40));
      }
      if (early >= MAX_EARLY_FAILURES)
        await until(
          () => countResponses(disturbed) > responses,
          () => `a response in round ${round}; ${lastEvents(disturbed)}`,
        );
      early = countResponses(disturbed) > responses ? 0 : early + 1;
      if (round % 50 === 0) context.progress(`proxy, ${lane.name}: ${round} of ${rounds} rounds`);
    }
    proxy.fault = { kind: 'none' };
    proxy.cutAll('reset');
    const checked = await checkConverged(plane, clients, {
      extraStreams: proxy.duplicates * MAX_STREAMS_OF_CONNECTION,
    });
    const stopped = await Promise.all(clients.map((client) => client.stop()));
    const faults = Object.values(proxy.fired).reduce((sum, count) => sum + count, rounds);
    return { ...checked, failures: [...checked.failures, ...stopped.flat()], counts: { rounds, faults } };
  } finally {
    await Promise.allSettled(clients.map((client) => client.stop()));
    await Promise.allSettled([proxy.close(), front?.close()]);
    await plane.kill();
  }
}

function libraryLane(uri: string, { kinds, isTls = false }: ProxyLane): Running {
  const clock = fastClock(SPEED);
  if (!kinds.includes('corrupt') || isTls) return library(uri, { clock });
  return { ...library(uri, { clock, transport: new GrpcTransport(SHORT_LIMITS) }), isCorrupted: true };
}

/** A client has one stream at a time on a connection, and few before the proxy cuts it. */
const MAX_STREAMS_OF_CONNECTION = 2;

function countResponses({ events }: Running): number {
  return events.filter(({ kind }) => kind === 'response').length;
}
