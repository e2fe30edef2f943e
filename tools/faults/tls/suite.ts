import { rmSync, writeFileSync } from 'node:fs';
import { bootstrap } from '../client/bootstrap.ts';
import { library, type Running } from '../clients.ts';
import { checkConverged } from '../converged.ts';
import { type Lane, type LaneResult, runLanes } from '../lanes.ts';
import { PlaneProcess } from '../plane/plane-process.ts';
import { programs } from '../programs.ts';
import type { Suite, SuiteContext } from '../suite.ts';
import { until } from '../until.ts';
import { TestAuthority } from './certificate-authority.ts';
import { TlsFront } from './tls-front.ts';

/** A step of a rotation, and the reason with which connections fail after it; undefined if they succeed. */
interface Step {
  name: string;
  fails?: RegExp;
  run(front: TlsFront): Promise<void> | void;
}

const UNTRUSTED = /self-signed certificate|unable to verify|certificate signature failure|unable to get/;

/** Certificates of the server. Each bad one is followed by a good one. */
async function serverSteps(): Promise<Step[][]> {
  const other = await TestAuthority.create('the next authority');
  const renew: Step = {
    name: 'a renewed certificate',
    run: async (front) => front.present(await front.authority.issue()),
  };
  return [
    [
      renew,
      { name: 'another CA', fails: UNTRUSTED, run: async (front) => front.present(await other.issue()) },
      { name: 'the new CA file', run: (front) => front.trust(other.pem) },
    ],
    [
      {
        name: 'an expired certificate',
        fails: /certificate has expired/,
        run: async (front) => front.present(await front.authority.issue({ daysLeft: -1 })),
      },
      renew,
    ],
    [
      {
        name: 'a certificate for another name',
        fails: /does not match certificate's altnames/,
        run: async (front) => front.present(await front.authority.issue({ names: ['xds.example'] })),
      },
      renew,
    ],
    [
      { name: 'a CA file with garbage', fails: UNTRUSTED, run: (front) => breakFile(front, 'garbage') },
      { name: 'the CA file again', run: (front) => front.trust(front.authority.pem) },
      { name: 'no CA file', fails: /Failed to load credentials/, run: (front) => breakFile(front, undefined) },
      { name: 'the CA file again', run: (front) => front.trust(front.authority.pem) },
    ],
  ];
}

/** A change of the files alone does not break a connection; `take` breaks it. */
function breakFile(front: TlsFront, text: string | undefined): void {
  if (text === undefined) rmSync(front.path('ca.pem'));
  else front.trust(text);
}

/** Certificates that change under a running client. */
export const tlsSuite: Suite = {
  name: 'tls',
  summary: 'server certificates, CA files and client certificates that change under a running client',
  quick: true,
  run: async (context) => {
    const { plane } = await programs(context.root);
    const lanes = (await serverSteps()).map(
      (steps): Lane => ({ name: steps[0]?.name ?? '', run: () => serverLane(context, plane, steps) }),
    );
    return await runLanes(context, [...lanes, { name: 'client certificate', run: () => mutualLane(context, plane) }]);
  },
};

async function serverLane(context: SuiteContext, program: string, steps: readonly Step[]): Promise<LaneResult> {
  return await withFront(context, program, {}, async (front, client, plane) => {
    for (const step of steps) await take(step, front, client, plane);
    return steps.length;
  });
}

/** The server requires a client certificate, of another CA after the rotation. */
async function mutualLane(context: SuiteContext, program: string): Promise<LaneResult> {
  const old = await TestAuthority.create('the authority of clients');
  const next = await TestAuthority.create('the next authority of clients');
  const write = async (front: TlsFront, authority: TestAuthority): Promise<void> => {
    const { key, certificate } = await authority.issue();
    writeFileSync(front.path('client-key.pem'), key);
    writeFileSync(front.path('client.pem'), certificate);
  };
  return await withFront(
    context,
    program,
    { clients: old, prepare: (front) => write(front, old) },
    async (front, client, plane) => {
      const require: Step = {
        name: 'another CA for clients',
        fails: /.+/,
        run: async () => front.present(await front.authority.issue(), { ca: next.pem }),
      };
      await take(require, front, client, plane);
      await take({ name: 'a new client certificate', run: () => write(front, next) }, front, client, plane);
      return 2;
    },
  );
}

interface FrontSetup {
  clients?: TestAuthority;
  prepare?: (front: TlsFront) => Promise<void>;
}

async function withFront(
  context: SuiteContext,
  program: string,
  { clients, prepare }: FrontSetup,
  run: (front: TlsFront, client: Running, plane: PlaneProcess) => Promise<number>,
): Promise<LaneResult> {
  const plane = await PlaneProcess.start(program);
  const front = await TlsFront.start(plane.port, context.folder, clients);
  await prepare?.(front);
  const client = library(bootstrap(front.address, front.creds));
  try {
    await take({ name: 'the first connection', run: () => {} }, front, client, plane);
    const steps = await run(front, client, plane);
    const checked = await checkConverged(plane, [client]);
    const failures = [...checked.failures, ...(await client.stop())];
    return { ...checked, failures, counts: { rotations: steps } };
  } finally {
    await client.stop();
    await front.close();
    await plane.kill();
  }
}

/** Takes a step, and waits until the client has noticed it. */
async function take(step: Step, front: TlsFront, client: Running, plane: PlaneProcess): Promise<void> {
  const from = client.events.length;
  await step.run(front);
  const since = () => client.events.slice(from);
  if (step.fails === undefined) {
    plane.serve(plane.revision + 3);
    await until(
      () => since().some(({ kind }) => kind === 'response'),
      () => `a response after ${step.name}`,
    );
    return;
  }
  const reasons = (): string[] =>
    since().flatMap(({ kind, state, reason = '' }) =>
      kind === 'channel' && state === 'transient-failure' ? [reason] : [],
    );
  await until(
    () => {
      if (isConnected(client)) front.cut();
      return reasons().some((reason) => step.fails?.test(reason));
    },
    () => `a failure because of ${step.name}; the reasons are ${JSON.stringify(reasons())}`,
  );
}

/**
 * Whether a channel has a connection. It may be older than the step, or newer but made with the files before the step, since
 * the client reads them only once per interval.
 */
function isConnected({ events }: Running): boolean {
  const states = new Map(events.flatMap(({ kind, scope, state }) => (kind === 'channel' ? [[scope, state]] : [])));
  return [...states.values()].includes('ready');
}
