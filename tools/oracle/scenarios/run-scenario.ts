import { setTimeout as sleep } from 'node:timers/promises';
import { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../src/proto/message-type.js';
import { shortType, typeUrlOf } from '../../../src/proto/resource-types.js';
import { Placeholders } from '../conformance/client/placeholders.js';
import type { ClientRecording, ClientScenario, Step } from '../conformance/client/recording.js';
import {
  answerTo,
  isIdleAfter,
  isMatch,
  type ReceivedRequest,
  responseOf,
  type SentResponse,
  stepAt,
  stepStatus,
} from '../conformance/client/steps.js';
import { ownPort } from '../ports.js';
import { ScriptedServer, type ScriptedStream } from '../scripted-server.js';
import type { Backends } from './backends.js';
import { recordedDump } from './dump.js';
import type { OracleClient, RpcEnd, StartClient } from './oracle-client.js';

type Expected = ClientScenario['expected'];

/** The behaviour of a client in a scenario, in the format of the recording. */
export interface ScenarioResult extends Expected {
  nodeOnlyInFirstRequest: boolean;
  /** Steps whose expected request did not arrive, or whose unexpected request did. */
  unmet: { step: number; what: string }[];
}

export interface RunOptions {
  recording: ClientRecording;
  backends: Backends;
  startClient: StartClient;
  /** The client may send fewer requests than C-core, with several changes in one. */
  mergesRequests: boolean;
}

const EXPECT_S = 6;
const SETTLE_S = 0.4;
const BEFORE_RPC_MS = 200;
const LAST_ANSWERS_MS = 500;
const SPARE_PORTS = 2;

/** Runs one scenario over real sockets. */
export async function runScenario(scenario: ClientScenario, options: RunOptions): Promise<ScenarioResult> {
  const spare = await Promise.all(
    Array.from({ length: Object.keys(scenario.servers).length + SPARE_PORTS }, () => ownPort()),
  );
  const placeholders = new Placeholders(() => spare.shift() as number);
  const servers = new Map<string, ScriptedServer>();
  let client: OracleClient | undefined;
  try {
    const hasSmallWindow = scenario.steps.some(({ op }) => op === 'holdReads');
    for (const [name, { listening }] of Object.entries(scenario.servers)) {
      const port = placeholders.portOf(name);
      servers.set(name, await ScriptedServer.make({ port, isListening: listening !== false, hasSmallWindow }));
    }
    const variables = placeholders.variablesOf(scenario);
    client = await options.startClient({ variables, backends: options.backends.ports });
    return await new ScenarioRun(scenario, options, { placeholders, servers, client }).run();
  } finally {
    await client?.stop();
    for (const server of servers.values()) await server.stop();
  }
}

interface RunContext {
  placeholders: Placeholders;
  servers: ReadonlyMap<string, ScriptedServer>;
  client: OracleClient;
}

class ScenarioRun {
  readonly #scenario: ClientScenario;
  readonly #options: RunOptions;
  readonly #context: RunContext;
  readonly #sent: { step: number; server: string; type: string; nonce: string; stream: ScriptedStream | undefined }[] =
    [];
  readonly #responses: SentResponse[] = [];
  readonly #resources: ClientRecording['resources'];
  readonly #subscriptions: Expected['subscriptions'] = [];
  readonly #csds: Expected['csds'] = [];
  readonly #rpcs: Expected['rpcs'] = [];
  readonly #unmet: ScenarioResult['unmet'] = [];

  constructor(scenario: ClientScenario, options: RunOptions, context: RunContext) {
    this.#scenario = scenario;
    this.#options = options;
    this.#context = context;
    const { backends, recording } = options;
    this.#resources = Object.fromEntries(
      Object.entries(recording.resources).map(([key, { typeUrl, base64 }]) => [
        key,
        { typeUrl, base64: backends.fillResource(Buffer.from(base64, 'base64')).toString('base64') },
      ]),
    );
  }

  async run(): Promise<ScenarioResult> {
    const { steps } = this.#scenario;
    for (const [index, step] of steps.entries()) {
      await this.#perform(step, index);
      if (index === steps.length - 1) this.#noteSubscriptions(index + 1);
      if (isIdleAfter(step)) this.#noteSubscriptions(index);
    }
    const isAnswered = () =>
      this.#sent.every(({ nonce, stream }) => answerTo(nonce, stream?.requests).answer !== 'none');
    if (!isAnswered()) await sleep(LAST_ANSWERS_MS);
    return {
      answers: this.#answers(),
      subscriptions: this.#subscriptions.sort((a, b) => a.step - b.step),
      nodeOnlyInFirstRequest: this.#isNodeOnlyInFirstRequest(),
      csds: this.#csds,
      rpcs: this.#rpcs,
      unmet: this.#unmet,
    };
  }

  async #perform(step: Step, index: number): Promise<void> {
    const { client, placeholders } = this.#context;
    switch (step.op) {
      case 'connect':
        return client.connect(step);
      case 'xdsServer':
        return client.serve(placeholders.fill(step.address ?? ''));
      case 'closeChannel':
        return client.closeChannel(step);
      case 'wait':
        return sleep((step.seconds ?? 0) * 1000);
      case 'csds':
        return this.#dump(step, index);
      case 'rpc':
        return this.#rpc(step, index);
      case 'join':
        return this.#noteRpc(step, index, await client.joinRpc(step.label ?? ''));
      case 'stream':
        return client.stream(step);
      case 'endStream':
        return this.#noteRpc(step, index, await client.endStream(step.label ?? ''));
      default:
        return this.#performOnServer(step, index);
    }
  }

  async #performOnServer(step: Step, index: number): Promise<void> {
    const server = this.#serverOf(step);
    switch (step.op) {
      case 'expect':
        return this.#expect(step, index, server);
      case 'expectStream':
        return this.#await(step, index, server, () => server.streams.length >= (step.stream ?? 1));
      case 'expectEnd':
        return this.#await(step, index, server, () => this.#streamOf(step)?.isOver ?? true);
      case 'send':
        return this.#send(step, index);
      case 'sendRaw':
        return this.#streamOf(step)?.send(Buffer.from(step.base64 ?? '', 'base64'));
      case 'close':
        return this.#streamOf(step)?.finish(stepStatus(step));
      case 'reject':
        server.rejects = step.code === undefined ? undefined : stepStatus(step);
        return;
      case 'stop':
        return server.stop();
      case 'listen':
        return server.listen();
      case 'listenRaw':
        return server.listenRaw(step.mode ?? 'silent');
      case 'holdReads':
        return server.holdReads();
      case 'releaseReads':
        return server.releaseReads();
      default:
        throw new Error(`unknown step ${step.op}`);
    }
  }

  #serverOf({ server = 'primary' }: Step): ScriptedServer {
    const found = this.#context.servers.get(server);
    if (found === undefined) throw new Error(`unknown server ${server}`);
    return found;
  }

  #streamOf(step: Step): ScriptedStream | undefined {
    const server = this.#serverOf(step);
    return step.stream === undefined ? server.newest() : server.streams[step.stream - 1];
  }

  #expect(step: Step, index: number, server: ScriptedServer): Promise<void> {
    const find = (): ReceivedRequest | undefined => {
      const streams = step.stream === undefined ? server.streams : [server.streams[step.stream - 1]];
      const unmatched = streams
        .flatMap((stream) => stream?.requests ?? [])
        .find((one) => !one.isMatched && isMatch(one, step));
      if (unmatched !== undefined || step.absent === true || !this.#options.mergesRequests) return unmatched;
      const newest = streams.at(-1)?.requests.findLast(({ request }) => shortType(request.typeUrl) === step.type);
      return newest !== undefined && isMatch(newest, step) ? newest : undefined;
    };
    return this.#await(step, index, server, () => {
      const found = find();
      if (found !== undefined) found.isMatched = true;
      return found !== undefined;
    });
  }

  async #await(step: Step, index: number, server: ScriptedServer, isMet: () => boolean): Promise<void> {
    const isThere = await server.until(isMet, (step.timeout ?? EXPECT_S) * 1000);
    if (isThere !== (step.absent === true)) return;
    const what = `${step.op} ${step.type ?? ''} [${step.names ?? ''}] ${step.nonce ?? ''}`.trim();
    this.#unmet.push({ step: index, what: step.absent ? `${what} came` : what });
  }

  #send(step: Step, index: number): void {
    const stream = this.#streamOf(step);
    const response = responseOf(step, this.#resources);
    const { typeUrl, versionInfo: version, nonce } = response;
    if (nonce !== '') {
      this.#sent.push({ step: index, server: step.server ?? 'primary', type: step.type ?? '', nonce, stream });
    }
    this.#responses.push({ step: index, typeUrl, version, at: Date.now() });
    stream?.send(encode(DiscoveryResponse, response));
  }

  async #rpc(step: Step, index: number): Promise<void> {
    await sleep(BEFORE_RPC_MS);
    if (step.background) await this.#context.client.startRpc(step);
    else this.#noteRpc(step, index, await this.#context.client.rpc(step));
  }

  #noteRpc({ label = '' }: Step, step: number, end: RpcEnd | undefined): void {
    if (end === undefined) return;
    this.#rpcs.push({ label, step, ...end, ...(end.message !== undefined && { message: this.#unfill(end.message) }) });
  }

  async #dump({ label = '', settle = SETTLE_S }: Step, step: number): Promise<void> {
    await sleep(settle * 1000);
    const dump = recordedDump(await this.#context.client.csds(), {
      stepOf: (typeUrl, version, at) => stepAt(this.#responses, typeUrl, version, at),
      resourceOf: (typeUrl, bytes) => this.#keyOf(typeUrl, Buffer.from(bytes)),
    });
    this.#csds.push({ label, step, clients: JSON.parse(this.#unfill(JSON.stringify(dump))) as unknown[] });
  }

  /** Several keys may name equal resources: prefers one that the scenario sent. */
  #keyOf(typeUrl: string, bytes: Buffer): string {
    const { recording, backends } = this.#options;
    const base64 = backends.unfillResource(bytes).toString('base64');
    const sent = this.#scenario.steps.flatMap(({ resources = [] }) => resources);
    const isThis = (key: string): boolean =>
      recording.resources[key]?.base64 === base64 && recording.resources[key]?.typeUrl === typeUrl;
    return sent.find(isThis) ?? Object.keys(recording.resources).find(isThis) ?? base64;
  }

  #unfill(text: string): string {
    return this.#context.placeholders.unfill(this.#options.backends.unfillText(text));
  }

  /** Records the subscriptions of open streams. */
  #noteSubscriptions(step: number): void {
    const streams: Expected['subscriptions'][number]['streams'] = {};
    for (const [name, server] of this.#context.servers) {
      for (const [at, stream] of server.streams.entries()) {
        if (stream.isOver || stream.isEnded) continue;
        streams[`${name}#${at + 1}`] = Object.fromEntries(
          Object.entries(stream.subscriptions)
            .map(([type, names]): [string, string[]] => [shortType(type), names.map((one) => this.#unfill(one)).sort()])
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        );
      }
    }
    this.#subscriptions.push({ step, streams });
  }

  #answers(): Expected['answers'] {
    return this.#sent.map(({ step, server, type, nonce, stream }) => {
      const answer = answerTo(nonce, stream?.requests);
      // Without an ACK or NACK, the stream is not recorded.
      const on = stream === undefined || answer.answer === 'none' ? {} : { stream: this.#numberOf(server, stream) };
      return { step, server, type: shortType(typeUrlOf(type)), nonce, ...on, ...answer };
    });
  }

  #numberOf(server: string, stream: ScriptedStream): number {
    return (this.#context.servers.get(server)?.streams.indexOf(stream) ?? -1) + 1;
  }

  #isNodeOnlyInFirstRequest(): boolean {
    return [...this.#context.servers.values()].every(({ streams }) =>
      streams.every(({ requests }) =>
        requests.every(({ request }, index) => (request.node !== undefined) === (index === 0)),
      ),
    );
  }
}
