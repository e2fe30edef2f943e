import { PRESETS } from '../../../../src/bootstrap/presets.js';
import type { Preset } from '../../../../src/bootstrap/switches.js';
import { DiscoveryResponse } from '../../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../../src/proto/message-type.js';
import { shortType } from '../../../../src/proto/resource-types.js';
import { VirtualClock } from '../../../../src/scenario/virtual-clock.js';
import { csdsClients } from './csds.js';
import { EngineClient } from './engine-client.js';
import { RecordedNetwork, RecordedServer, type RecordedStream } from './network.js';
import { Placeholders } from './placeholders.js';
import type { ClientRecording, ClientScenario, Step } from './recording.js';
import type { PredictedRpc } from './rpcs.js';
import {
  answerTo,
  bytesOf,
  isIdleAfter,
  isMatch,
  type ReceivedRequest,
  responseOf,
  type SentResponse,
  stepAt,
  stepStatus,
} from './steps.js';

const DEFAULT_TIMEOUT_S = 6;
const FIRST_PORT = 20_000;
const WAITING_STEP_MS = 20;

/** The behaviour of the engine in a scenario, in the format of the recording. */
export interface Replayed {
  /** By step. */
  answers: Map<number, { answer: 'ACK' | 'NACK' | 'none'; version?: string | undefined; error?: unknown }>;
  /** At every step after which the client is idle. */
  subscriptions: { step: number; streams: Record<string, Record<string, string[]>> }[];
  csds: Map<number, unknown[]>;
  rpcs: Map<number, PredictedRpc>;
  /** Steps whose expected request did not arrive, or whose unexpected request did. */
  unmet: { step: number; what: string }[];
}

/** Replays one scenario on virtual time. */
export function replay(scenario: ClientScenario, recording: ClientRecording, preset: Preset): Promise<Replayed> {
  return new Replay(scenario, recording, preset).run();
}

class Replay {
  readonly #scenario: ClientScenario;
  readonly #recording: ClientRecording;
  readonly #preset: Preset;
  readonly #clock = new VirtualClock(1);
  readonly #servers = new Map<string, RecordedServer>();
  readonly #placeholders: Placeholders;
  readonly #sent: { step: number; nonce: string; server: string; stream: RecordedStream | undefined }[] = [];
  readonly #responses: SentResponse[] = [];
  readonly #result: Replayed = { answers: new Map(), subscriptions: [], csds: new Map(), rpcs: new Map(), unmet: [] };
  readonly #client: EngineClient;

  constructor(scenario: ClientScenario, recording: ClientRecording, preset: Preset) {
    this.#scenario = scenario;
    this.#recording = recording;
    this.#preset = preset;
    let ports = FIRST_PORT;
    this.#placeholders = new Placeholders(() => ports++);
    for (const [name, { listening }] of Object.entries(scenario.servers)) {
      this.#servers.set(name, new RecordedServer(name, listening !== false));
    }
    const transport = new RecordedNetwork(this.#clock, PRESETS[preset].policies, (uri) =>
      [...this.#servers.values()].find(({ name }) => uri.endsWith(`:${this.#placeholders.portOf(name)}`)),
    );
    const dns = { resolve: async (host: string, port: number) => resolveName(host, port) };
    this.#client = new EngineClient({
      preset,
      variables: this.#placeholders.variablesOf(scenario),
      backends: recording.backends,
      ports: { clock: this.#clock, transport, dns },
    });
  }

  async run(): Promise<Replayed> {
    for (const [index, step] of this.#scenario.steps.entries()) {
      this.#clock.settle();
      await this.#perform(step, index);
      const isLast = index === this.#scenario.steps.length - 1;
      if (isLast) this.#noteSubscriptions(index + 1);
      this.#client.checkQueued();
      // DNS results arrive as promises.
      await Promise.resolve();
      this.#clock.settle();
      if (isIdleAfter(step)) this.#noteSubscriptions(index);
    }
    this.#advance(500);
    for (const { step, nonce, stream } of this.#sent) this.#result.answers.set(step, answerTo(nonce, stream?.requests));
    return this.#result;
  }

  async #perform(step: Step, index: number): Promise<void> {
    const server = this.#servers.get(step.server ?? 'primary');
    switch (step.op) {
      case 'connect':
        this.#client.connect(step);
        break;
      case 'xdsServer':
        this.#client.serve(this.#placeholders.fill(step.address ?? ''));
        break;
      case 'closeChannel':
        this.#client.closeChannel(step);
        break;
      case 'expect':
        this.#expect(step, index);
        break;
      case 'expectStream':
        this.#await(step, index, () => (server?.streams.length ?? 0) >= (step.stream ?? 1));
        break;
      case 'expectEnd':
        this.#await(step, index, () => this.#streamOf(step)?.isOver ?? true);
        break;
      case 'send':
        this.#send(step, index);
        break;
      case 'sendRaw':
        this.#streamOf(step)?.push(bytesOf(step.base64 ?? ''));
        break;
      case 'close':
        this.#streamOf(step)?.finish(stepStatus(step));
        break;
      case 'wait':
        await this.#advanceWithPromises((step.seconds ?? 0) * 1000);
        break;
      case 'csds':
        await this.#advanceWithPromises((step.settle ?? 0.4) * 1000);
        this.#result.csds.set(index, this.#dump());
        break;
      case 'rpc':
        await this.#rpc(step, index);
        break;
      case 'join':
        await this.#advanceWithPromises((this.#recordedResultOf(index)?.seconds ?? 0) * 1000);
        break;
      default:
        if (server !== undefined) changeServer(server, step);
    }
  }

  /** Matches an unmatched request, or the newest of its type: the engine may send fewer requests than C-core. */
  #expect(step: Step, index: number): void {
    const server = this.#servers.get(step.server ?? 'primary');
    const find = (): ReceivedRequest | undefined => {
      const streams = step.stream === undefined ? (server?.streams ?? []) : [server?.streams[step.stream - 1]];
      const requests = streams.flatMap((stream) => stream?.requests ?? []);
      const unmatched = requests.find((one) => !one.isMatched && isMatch(one, step));
      if (unmatched !== undefined || step.absent === true) return unmatched;
      const newest = streams.at(-1)?.requests.findLast(({ request }) => shortType(request.typeUrl) === step.type);
      return newest !== undefined && isMatch(newest, step) ? newest : undefined;
    };
    this.#await(step, index, () => {
      const request = find();
      if (request !== undefined) request.isMatched = true;
      return request !== undefined;
    });
  }

  #await(step: Step, index: number, isMet: () => boolean): void {
    const end = this.#clock.now() + (step.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
    let met = isMet();
    while (this.#clock.now() < end && (!met || step.absent === true)) {
      this.#advance(Math.min(WAITING_STEP_MS, end - this.#clock.now()));
      met = met || isMet();
    }
    const what = `${step.op} ${step.type ?? ''} [${step.names ?? ''}] ${step.nonce ?? ''}`.trim();
    if (met === (step.absent === true))
      this.#result.unmet.push({ step: index, what: step.absent ? `${what} came` : what });
  }

  #send(step: Step, index: number): void {
    const stream = this.#streamOf(step);
    const response = responseOf(step, this.#recording.resources);
    if (step.nonce !== undefined && step.nonce !== '') {
      this.#sent.push({ step: index, nonce: step.nonce, server: step.server ?? 'primary', stream });
    }
    this.#responses.push({
      step: index,
      typeUrl: response.typeUrl,
      version: response.versionInfo,
      at: this.#clock.now(),
    });
    stream?.push(encode(DiscoveryResponse, response));
  }

  async #rpc(step: Step, index: number): Promise<void> {
    this.#advance(200);
    if (step.background) {
      this.#client.queue(step);
      return;
    }
    this.#result.rpcs.set(index, this.#predict(step));
    const result = this.#recordedResultOf(index);
    const seconds = result?.code === 'DEADLINE_EXCEEDED' ? (step.timeout ?? 3) : (result?.seconds ?? 0);
    await this.#advanceWithPromises(seconds * 1000);
  }

  #predict(step: Step): PredictedRpc {
    const rpc = this.#client.predict(step);
    return rpc.message === undefined ? rpc : { ...rpc, message: this.#placeholders.unfill(rpc.message) };
  }

  #recordedResultOf(index: number): { seconds?: number; code: string } | undefined {
    return this.#scenario.expected.rpcs.find(({ step }) => step === index);
  }

  #streamOf(step: Step): RecordedStream | undefined {
    const server = this.#servers.get(step.server ?? 'primary');
    if (step.stream !== undefined) return server?.streams[step.stream - 1];
    return server?.newest() ?? server?.streams.at(-1);
  }

  #noteSubscriptions(step: number): void {
    const streams: Record<string, Record<string, string[]>> = {};
    for (const [name, server] of this.#servers) {
      for (const [at, stream] of server.streams.entries()) {
        if (stream.isOver || stream.isEnded) continue;
        streams[`${name}#${at + 1}`] = Object.fromEntries(
          Object.entries(stream.subscriptions).map(([type, names]) => [
            shortType(type),
            names.map((text) => this.#placeholders.unfill(text)).sort(),
          ]),
        );
      }
    }
    this.#result.subscriptions.push({ step, streams });
  }

  #dump(): unknown[] {
    const { bootstrap } = this.#client;
    if (bootstrap === undefined) return [];
    const clients = csdsClients(this.#client.snapshot(), bootstrap.node, this.#preset, (typeUrl, version, at) =>
      stepAt(this.#responses, typeUrl, version, at),
    );
    return JSON.parse(this.#placeholders.unfill(JSON.stringify(clients))) as unknown[];
  }

  /** Advances the clock and lets pending promises run. */
  async #advanceWithPromises(millis: number): Promise<void> {
    this.#advance(Math.min(1, millis));
    await Promise.resolve();
    this.#advance(Math.max(0, millis - 1));
  }

  #advance(millis: number): void {
    this.#clock.advanceBy(millis);
  }
}

function changeServer(server: RecordedServer, step: Step): void {
  if (step.op === 'stop') server.stop();
  else if (step.op === 'listen') server.mode = 'listening';
  else if (step.op === 'listenRaw') server.mode = step.mode ?? 'refusing';
  else if (step.op === 'holdReads') server.isHolding = true;
  else if (step.op === 'releaseReads') server.release();
  else if (step.op === 'reject') {
    server.rejects = step.code === undefined ? undefined : stepStatus(step);
  }
}

/** Resolves only names that need no network. */
function resolveName(host: string, port: number): { addresses: string[] } | { failure: string } {
  if (/^[\d.]+$/.test(host) || host === 'localhost') {
    return { addresses: [`${host === 'localhost' ? '127.0.0.1' : host}:${port}`] };
  }
  const how = `Address lookup failed for ${host}:${port} os_error: Name or service not known syscall: getaddrinfo`;
  return { failure: how };
}
