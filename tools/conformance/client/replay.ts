import { fromBase64 } from '../../../src/base/base64.js';
import { STATUS_CODES, type StatusName, statusCode } from '../../../src/base/status.js';
import type { Preset } from '../../../src/bootstrap/switches.js';
import { POLICIES } from '../../../src/core/policies.js';
import { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../src/proto/message-type.js';
import { shortType, typeUrlOf } from '../../../src/proto/resource-types.js';
import { VirtualClock } from '../../../src/scenario/virtual-clock.js';
import { csdsClients } from './csds.js';
import { EngineClient } from './engine-client.js';
import { RecordedNetwork, RecordedServer, type RecordedStream, type SeenRequest } from './network.js';
import type { ClientRecording, ClientScenario, Step } from './recording.js';
import type { PredictedRpc } from './rpcs.js';

const DEFAULT_TIMEOUT_S = 6;
const FIRST_PORT = 20_000;
const WAITING_STEP_MS = 20;
const SAME_TIME_MS = 100;

interface SentResponse {
  step: number;
  typeUrl: string;
  version: string;
  at: number;
}

/** What the engine did in a scenario, in the words of the recording. */
export interface Replayed {
  /** By nonce and step. */
  answers: Map<number, { answer: 'ACK' | 'NACK' | 'none'; version?: string; error?: unknown }>;
  /** At every point where it is quiet. */
  subscriptions: { step: number; streams: Record<string, Record<string, string[]>> }[];
  csds: Map<number, unknown[]>;
  rpcs: Map<number, PredictedRpc>;
  /** Steps that waited for something that never came, or came although it must not. */
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
  readonly #ports = new Map<string, number>();
  readonly #sent: { step: number; nonce: string; server: string; stream: RecordedStream | undefined }[] = [];
  readonly #responses: SentResponse[] = [];
  readonly #result: Replayed = { answers: new Map(), subscriptions: [], csds: new Map(), rpcs: new Map(), unmet: [] };
  readonly #client: EngineClient;

  constructor(scenario: ClientScenario, recording: ClientRecording, preset: Preset) {
    this.#scenario = scenario;
    this.#recording = recording;
    this.#preset = preset;
    for (const [name, { listening }] of Object.entries(scenario.servers)) {
      this.#servers.set(name, new RecordedServer(name, listening !== false));
    }
    const transport = new RecordedNetwork(this.#clock, POLICIES[preset].maxResponseBytes, (uri) =>
      [...this.#servers.values()].find(({ name }) => uri.endsWith(`:${this.#portOf(name)}`)),
    );
    const dns = { resolve: async (host: string, port: number) => resolveName(host, port) };
    const ports = { clock: this.#clock, transport, dns };
    const variables = this.#variables();
    this.#client = new EngineClient({ preset, variables, backends: recording.backends, ports });
  }

  async run(): Promise<Replayed> {
    for (const [index, step] of this.#scenario.steps.entries()) {
      this.#clock.settle();
      await this.#perform(step, index);
      const isLast = index === this.#scenario.steps.length - 1;
      if (isLast) this.#noteSubscriptions(index + 1);
      this.#client.checkQueued();
      // DNS answers come as promises.
      await Promise.resolve();
      this.#clock.settle();
      const isQuiet = ['csds', 'rpc', 'wait', 'join'].includes(step.op) && step.background !== true;
      if (isQuiet) this.#noteSubscriptions(index);
    }
    this.#pass(500);
    for (const sent of this.#sent) this.#result.answers.set(sent.step, answerTo(sent));
    return this.#result;
  }

  #variables(): Record<string, string | undefined> {
    const variables: Record<string, string | undefined> = {
      GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: String(this.#scenario.a88),
      GRPC_XDS_BOOTSTRAP_CONFIG: this.#fill(JSON.stringify(this.#scenario.bootstrap)),
    };
    for (const [name, value] of Object.entries(this.#scenario.environment ?? {})) {
      variables[name] = value === null ? undefined : this.#fill(value);
    }
    return variables;
  }

  async #perform(step: Step, index: number): Promise<void> {
    const server = this.#servers.get(step.server ?? 'primary');
    switch (step.op) {
      case 'connect':
        this.#client.connect(step);
        break;
      case 'xdsServer':
        this.#client.serve(this.#fill(step.address ?? ''));
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
        this.#streamOf(step)?.finish({ code: codeOf(step.code ?? 'OK'), message: step.message ?? '' });
        break;
      case 'wait':
        await this.#passSlowly((step.seconds ?? 0) * 1000);
        break;
      case 'csds':
        await this.#passSlowly((step.settle ?? 0.4) * 1000);
        this.#result.csds.set(index, this.#dump());
        break;
      case 'rpc':
        await this.#rpc(step, index);
        break;
      case 'join':
        await this.#passSlowly((this.#resultOf(index)?.seconds ?? 0) * 1000);
        break;
      default:
        if (server !== undefined) changeServer(server, step);
    }
  }

  /** Met by a request that no earlier step took, or by the newest of its type: the engine may send fewer than C-core. */
  #expect(step: Step, index: number): void {
    const server = this.#servers.get(step.server ?? 'primary');
    const find = (): SeenRequest | undefined => {
      const streams = step.stream === undefined ? (server?.streams ?? []) : [server?.streams[step.stream - 1]];
      const seen = streams.flatMap((stream) => stream?.requests ?? []);
      const untaken = seen.find((one) => !one.isTaken && isWanted(one, step));
      if (untaken !== undefined || step.absent === true) return untaken;
      const newest = streams.at(-1)?.requests.findLast(({ request }) => shortType(request.typeUrl) === step.type);
      return newest !== undefined && isWanted(newest, step) ? newest : undefined;
    };
    this.#await(step, index, () => {
      const found = find();
      if (found !== undefined) found.isTaken = true;
      return found !== undefined;
    });
  }

  #await(step: Step, index: number, isMet: () => boolean): void {
    const end = this.#clock.now() + (step.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
    let met = isMet();
    while (this.#clock.now() < end && (!met || step.absent === true)) {
      this.#pass(Math.min(WAITING_STEP_MS, end - this.#clock.now()));
      met = met || isMet();
    }
    const what = `${step.op} ${step.type ?? ''} [${step.names ?? ''}] ${step.nonce ?? ''}`.trim();
    if (met === (step.absent === true))
      this.#result.unmet.push({ step: index, what: step.absent ? `${what} came` : what });
  }

  #send(step: Step, index: number): void {
    const stream = this.#streamOf(step);
    const { resources } = this.#recording;
    const response = DiscoveryResponse.create({
      typeUrl: typeUrlOf(step.type ?? ''),
      versionInfo: step.version ?? '',
      nonce: step.nonce ?? '',
      resources: (step.resources ?? []).map((key) => {
        const { typeUrl, base64 } = resources[key] ?? { typeUrl: '', base64: '' };
        return { typeUrl, value: bytesOf(base64) };
      }),
      resourceErrors: (step.errors ?? []).map(({ name, code, message = '' }) => ({
        resourceName: name === null ? undefined : { name },
        errorDetail: code === null ? undefined : { code: codeOf(code), message, details: [] },
      })),
      ...(step.padBytes !== undefined && { controlPlane: { identifier: 'x'.repeat(step.padBytes) } }),
    });
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
    this.#pass(200);
    if (step.background) {
      this.#client.queue(step);
      return;
    }
    this.#result.rpcs.set(index, this.#predict(step));
    const result = this.#resultOf(index);
    const seconds = result?.code === 'DEADLINE_EXCEEDED' ? (step.timeout ?? 3) : (result?.seconds ?? 0);
    await this.#passSlowly(seconds * 1000);
  }

  #predict(step: Step): PredictedRpc {
    const rpc = this.#client.predict(step);
    return rpc.message === undefined ? rpc : { ...rpc, message: this.#unfill(rpc.message) };
  }

  #resultOf(index: number): { seconds?: number; code: string } | undefined {
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
            names.map((text) => this.#unfill(text)).sort(),
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
    return JSON.parse(this.#unfill(JSON.stringify(clients))) as unknown[];
  }

  /** Time passes, and promises get their turn on the way. */
  async #passSlowly(millis: number): Promise<void> {
    this.#pass(Math.min(1, millis));
    await Promise.resolve();
    this.#pass(Math.max(0, millis - 1));
  }

  #pass(millis: number): void {
    this.#clock.advanceBy(millis);
  }

  #portOf(server: string): number {
    const known = this.#ports.get(server);
    if (known !== undefined) return known;
    const port = FIRST_PORT + this.#ports.size;
    this.#ports.set(server, port);
    return port;
  }

  #fill(text: string): string {
    return text
      .replace(/\{port:(\w+)\}/g, (_all, name: string) => String(this.#portOf(name)))
      .replace(/\{pad:(\d+)\}/g, (_all, count: string) => 'x'.repeat(Number(count)));
  }

  #unfill(text: string): string {
    return [...this.#ports]
      .reduce((result, [name, port]) => result.replaceAll(String(port), `{port:${name}}`), text)
      .replace(/x{1000,}/g, (pad) => `{pad:${pad.length}}`);
  }
}

/** Times are not recorded but the steps that caused them: of several like responses at about that time, the last. */
function stepAt(sent: readonly SentResponse[], typeUrl: string, version: string, at: number): number | undefined {
  return sent.findLast((one) => one.typeUrl === typeUrl && one.version === version && one.at <= at + SAME_TIME_MS)
    ?.step;
}

function isWanted({ request }: SeenRequest, { type, names, nonce }: Step): boolean {
  if (shortType(request.typeUrl) !== type) return false;
  if (nonce !== undefined && request.responseNonce !== nonce) return false;
  return names === undefined || [...request.resourceNames].sort().join('\n') === [...names].sort().join('\n');
}

function answerTo({ nonce, stream }: { nonce: string; stream: RecordedStream | undefined }) {
  const request = stream?.requests.find((one) => one.request.responseNonce === nonce)?.request;
  if (request === undefined) return { answer: 'none' as const };
  const { versionInfo: version, errorDetail } = request;
  if (errorDetail === undefined) return { answer: 'ACK' as const, version };
  return { answer: 'NACK' as const, version, error: { code: errorDetail.code, message: errorDetail.message } };
}

function changeServer(server: RecordedServer, step: Step): void {
  if (step.op === 'stop') server.stop();
  else if (step.op === 'listen') server.mode = 'listening';
  else if (step.op === 'listenRaw') server.mode = step.mode ?? 'refusing';
  else if (step.op === 'holdReads') server.isHolding = true;
  else if (step.op === 'releaseReads') server.release();
  else if (step.op === 'reject') {
    server.rejects = step.code === undefined ? undefined : { code: codeOf(step.code), message: step.message ?? '' };
  }
}

function codeOf(code: string | number): number {
  if (typeof code === 'number') return code;
  return (STATUS_CODES as readonly string[]).includes(code) ? statusCode(code as StatusName) : Number(code);
}

function bytesOf(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array(0);
}

/** Names that a machine without a network knows. */
function resolveName(host: string, port: number): { addresses: string[] } | { failure: string } {
  if (/^[\d.]+$/.test(host) || host === 'localhost') {
    return { addresses: [`${host === 'localhost' ? '127.0.0.1' : host}:${port}`] };
  }
  const how = `Address lookup failed for ${host}:${port} os_error: Name or service not known syscall: getaddrinfo`;
  return { failure: how };
}
