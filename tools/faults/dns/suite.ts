import { bootstrap } from '../client/bootstrap.ts';
import { lastEvents, libraryProcess, type Running } from '../clients.ts';
import { checkConverged } from '../converged.ts';
import { runLanes } from '../lanes.ts';
import { DNS_HOST } from '../model.ts';
import { PlaneProcess } from '../plane/plane-process.ts';
import { type Programs, programs } from '../programs.ts';
import type { Suite, SuiteContext } from '../suite.ts';
import { until } from '../until.ts';
import { type DnsAnswer, DnsServer } from './dns-server.ts';
import { OwnResolver } from './own-resolver.ts';

const NAMESERVER = '127.77.0.1';
const PLANE_HOST = 'plane.faults.test';
/** Two addresses of the control plane, and one at which nothing listens. */
const [HERE, THERE, NOWHERE] = ['127.77.0.2', '127.77.0.3', '127.77.0.4'];
/** As many as fit into a UDP response of 512 bytes. */
const MANY = 26;
const SLOW_MS = 1000;

const at = (...addresses: string[]): DnsAnswer => ({ kind: 'addresses', addresses });
const many = (last: string): DnsAnswer => at(...Array.from({ length: MANY - 1 }, (_, i) => `127.77.1.${i + 1}`), last);
const NXDOMAIN: DnsAnswer = { kind: 'error', code: 'NXDOMAIN' };
const SERVFAIL: DnsAnswer = { kind: 'error', code: 'SERVFAIL' };
const EMPTY = at();

/** Answers without a usable address. The client repeats its query after each. */
const FAILURES = { quick: [NXDOMAIN, SERVFAIL], full: [NXDOMAIN, SERVFAIL, EMPTY, NXDOMAIN] };

/** DNS answers that change, for the address of the control plane and for a LOGICAL_DNS cluster. */
export const dnsSuite: Suite = {
  name: 'dns',
  summary: 'DNS answers that fail, come late, are empty, have many addresses, or change',
  quick: true,
  run: async (context) => {
    const resolver = OwnResolver.create(context.folder, NAMESERVER);
    if (typeof resolver === 'string')
      return { counts: {}, failures: [], skipped: [`a resolv.conf of its own: ${resolver}`] };
    const dns = await DnsServer.start(NAMESERVER);
    if (typeof dns === 'string') {
      resolver.remove();
      return { counts: {}, failures: [], skipped: [`a DNS server on ${NAMESERVER}:53: ${dns}`] };
    }
    try {
      const built = await programs(context.root);
      return await runLanes(context, [{ name: 'library', run: () => run(context, built, dns, resolver) }]);
    } finally {
      dns.close();
      resolver.remove();
    }
  },
};

async function run(context: SuiteContext, built: Programs, dns: DnsServer, resolver: OwnResolver) {
  const failing = context.quick ? FAILURES.quick : FAILURES.full;
  const plane = await PlaneProcess.start(built.plane, { host: HERE as string, hasDns: true });
  const start = () =>
    libraryProcess(built.client, bootstrap(`${PLANE_HOST}:${plane.port}`), { runner: resolver.runner });
  dns.answer(DNS_HOST, failing[0] as DnsAnswer);
  dns.answer(PLANE_HOST, failing[0] as DnsAnswer);
  const client = start();
  let answers = 0;
  const failures: string[] = [];
  const queried = async (name: string, answer: DnsAnswer): Promise<void> => {
    const before = dns.queriesFor(name);
    dns.answer(name, answer);
    answers++;
    await until(
      () => dns.queriesFor(name) > before,
      () => `a query for ${name}; ${lastEvents(client)}, exit ${client.client.exit} ${client.client.stderr}`,
    );
  };
  try {
    for (const answer of failing) await queried(PLANE_HOST, answer);
    await until(
      () => client.events.some(({ kind, state }) => kind === 'channel' && state === 'transient-failure'),
      () => 'a channel failure without an address of the control plane',
    );
    await queried(PLANE_HOST, { ...many(HERE as string), delayMs: SLOW_MS } as DnsAnswer);
    for (const answer of failing) await queried(DNS_HOST, answer);
    await resolvesTo(client, dns, at(HERE as string, NOWHERE as string), failures);
    answers++;
    if (!context.quick) {
      // gRPC resolves the name of a cluster again after 30 s, and that of a lost server at most every 30 s.
      await resolvesTo(client, dns, at(THERE as string), failures);
      await resolvesTo(client, dns, many(THERE as string), failures);
      dns.answer(PLANE_HOST, at(THERE as string));
      await plane.kill();
      plane.moveTo(THERE as string);
      const before = plane.log.length;
      await plane.restart();
      await plane.streamAfter(before);
      answers += 3;
    }
    const checked = await checkConverged(plane, [client], { newClient: start });
    failures.push(...checked.failures, ...(await client.stop()));
    return { ...checked, failures, counts: { answers } };
  } finally {
    await client.stop();
    await plane.kill();
  }
}

/** Changes the answer for the cluster, and waits until its endpoints have these addresses. */
async function resolvesTo(client: Running, dns: DnsServer, answer: DnsAnswer, failures: string[]): Promise<void> {
  dns.answer(DNS_HOST, answer);
  const addresses = answer.kind === 'addresses' ? answer.addresses : [];
  let state = '';
  const isResolved = (): boolean => addresses.every((address) => state.includes(`"v4": ${numberOf(address)}`));
  const reading = setInterval(
    () =>
      void client.state?.().then((text) => {
        state = text;
      }),
    500,
  );
  try {
    await until(isResolved, () => `the addresses ${addresses.join(', ')} in the state of the client`);
  } catch (error) {
    failures.push((error as Error).message);
  } finally {
    clearInterval(reading);
  }
}

/** The number by which the state of a client shows an IPv4 address. */
function numberOf(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}
