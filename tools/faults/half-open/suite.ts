import { GrpcTransport, type TransportOptions } from '../../../src/io/grpc-transport.ts';
import { bootstrap } from '../client/bootstrap.ts';
import { library, libraryProcess, type Running } from '../clients.ts';
import { checkConverged } from '../converged.ts';
import { type Lane, type LaneResult, runLanes } from '../lanes.ts';
import { PlaneProcess } from '../plane/plane-process.ts';
import { type Programs, programs } from '../programs.ts';
import { FaultyProxy } from '../proxy/faulty-proxy.ts';
import type { Suite } from '../suite.ts';
import { until } from '../until.ts';
import { VanishingHost } from './vanishing-host.ts';

/** Short limits, so that the detection takes seconds. A false alarm on a busy machine is one more reconnect. */
const SHORT: TransportOptions = { connectTimeoutMs: 1000, keepalive: { timeMs: 1000, timeoutMs: 1000 } };

/** The keepalive of docs/architecture.md detects a lost peer after 5 minutes and 20 s. */
const DEFAULT_PATIENCE_MS = 15 * 60_000;

/** A path to the control plane that can lose all packets without closing a connection. */
interface Path {
  uri: string;
  vanish(): void;
  comeBack(): void;
}

/** A peer that vanishes from an open connection without FIN or RST. */
export const halfOpen: Suite = {
  name: 'half-open',
  summary: 'a control plane that vanishes without closing its connections',
  quick: true,
  run: async (context) => {
    const programsHere = await programs(context.root);
    const { plane } = programsHere;
    const rounds = context.quick ? 1 : 5;
    const host = VanishingHost.create();
    const skipped = typeof host === 'string' ? [`link down in a network namespace: ${host}`] : [];
    const lanes: Lane[] = [
      { name: 'proxy that stops forwarding', run: () => throughProxy(plane, SHORT, rounds) },
      ...(typeof host === 'string' ? [] : [{ name: 'link down', run: () => throughLink(programsHere, host, rounds) }]),
      ...(context.quick ? [] : [{ name: 'default keepalive', run: () => throughProxy(plane, {}, 1) }]),
    ];
    try {
      return { ...(await runLanes(context, lanes)), skipped };
    } finally {
      if (typeof host !== 'string') host.remove();
    }
  },
};

async function throughProxy(program: string, options: TransportOptions, rounds: number): Promise<LaneResult> {
  const plane = await PlaneProcess.start(program);
  const proxy = await FaultyProxy.start(plane.port);
  const path: Path = {
    uri: proxy.address,
    vanish: () => proxy.hold(),
    comeBack: () => proxy.release(),
  };
  const start = (uri: string): Running => library(bootstrap(uri), { transport: new GrpcTransport(options) });
  try {
    return await lane(plane, path, start, rounds);
  } finally {
    await proxy.close();
  }
}

async function throughLink(programs: Programs, host: VanishingHost, rounds: number): Promise<LaneResult> {
  const plane = await PlaneProcess.start(programs.plane, { host: host.address, runner: host.serverRunner });
  const path: Path = { uri: plane.address, vanish: () => host.vanish(), comeBack: () => host.comeBack() };
  const options = { runner: host.clientRunner, transport: SHORT };
  return await lane(plane, path, (uri) => libraryProcess(programs.client, bootstrap(uri), options), rounds);
}

async function lane(
  plane: PlaneProcess,
  path: Path,
  start: (uri: string) => Running,
  rounds: number,
): Promise<LaneResult> {
  const client = start(path.uri);
  const failures: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await until(
        () => hasOpenStream(client),
        () => 'an open stream with a response',
      );
      const before = client.events.length;
      path.vanish();
      plane.serve(plane.revision + 3);
      const ends = (): string[] => endsOf(client, before);
      await until(
        () => ends().length >= client.scopes.length,
        () => 'the end of the streams',
        DEFAULT_PATIENCE_MS,
      );
      for (const end of ends()) if (!/^UNAVAILABLE/.test(end)) failures.push(`a lost stream ended with ${end}`);
      // The peer does not answer a new connection either. This is a failure of the channel.
      await until(
        () => isUnreachable(client, before),
        () => 'a failed connection attempt',
      );
      const cached = (await client.state?.()) ?? '';
      if (!cached.includes('ACKED')) failures.push('the lost connection removed cached resources');
      path.comeBack();
    }
    const checked = await checkConverged(plane, [client], { newClient: () => start(path.uri) });
    failures.push(...checked.failures, ...(await client.stop()));
    return { ...checked, failures, counts: { rounds, faults: rounds } };
  } finally {
    await client.stop();
    await plane.kill();
  }
}

/** Every scope has an open stream that has delivered a response. */
function hasOpenStream({ events, scopes }: Running): boolean {
  return scopes.every((scope) => {
    const last = events.findLast((event) => event.scope === scope && event.kind === 'stream');
    return (
      last?.change === 'opened' && events.some(({ kind, stream }) => kind === 'response' && stream === last.stream)
    );
  });
}

function endsOf({ events }: Running, from: number): string[] {
  return events.slice(from).flatMap(({ kind, change, status }) => {
    const { code, message } = (status ?? {}) as { code?: string; message?: string };
    return kind === 'stream' && change === 'ended' ? [`${code} ${message}`] : [];
  });
}

function isUnreachable({ events }: Running, from: number): boolean {
  return events.slice(from).some(({ kind, state }) => kind === 'channel' && state === 'transient-failure');
}
