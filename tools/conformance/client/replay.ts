import { fromBase64 } from '../../../src/base/base64.js';
import { STATUS_CODES, type StatusName, statusCode } from '../../../src/base/status.js';
import type { Bootstrap } from '../../../src/bootstrap/bootstrap.js';
import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.js';
import { type Preset, readSwitches, type Switches } from '../../../src/bootstrap/switches.js';
import { resolveTarget } from '../../../src/bootstrap/target.js';
import { POLICIES } from '../../../src/core/policies.js';
import { Engine } from '../../../src/engine/engine.js';
import { engineOptions } from '../../../src/engine/options.js';
import type { ScopeSnapshot } from '../../../src/engine/scope.js';
import { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../src/proto/message-type.js';
import { shortType, typeUrlOf } from '../../../src/proto/resource-types.js';
import { VirtualClock } from '../../../src/scenario/virtual-clock.js';
import { Session } from '../../../src/session/session.js';
import { csdsClients } from './csds.js';
import { RecordedNetwork, RecordedServer, type RecordedStream, type SeenRequest } from './network.js';
import { QueuedRpcs } from './queued-rpcs.js';
import type { ClientRecording, ClientScenario, Step } from './recording.js';
import { type PredictedRpc, predictRpc } from './rpcs.js';

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
  readonly #failedScopes: string[] = [];
  readonly #failedTargets = new Map<string, PredictedRpc>();
  #bootstrapError = 'Environment variables GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG not defined';
  readonly #result: Replayed = { answers: new Map(), subscriptions: [], csds: new Map(), rpcs: new Map(), unmet: [] };
  readonly #network: RecordedNetwork;
  readonly #rpcs: QueuedRpcs;
  #bootstrap: Bootstrap | undefined;
  #switches: Switches;
  #engine: Engine | undefined;
  #session: Session | undefined;

  constructor(scenario: ClientScenario, recording: ClientRecording, preset: Preset) {
    this.#scenario = scenario;
    this.#recording = recording;
    this.#preset = preset;
    for (const [name, { listening }] of Object.entries(scenario.servers)) {
      this.#servers.set(name, new RecordedServer(name, listening !== false));
    }
    this.#network = new RecordedNetwork(this.#clock, POLICIES[preset].maxResponseBytes, (uri) =>
      [...this.#servers.values()].find(({ name }) => uri.endsWith(`:${this.#portOf(name)}`)),
    );
    const variables = this.#variables();
    this.#switches = readSwitches(variables, preset);
    this.#rpcs = new QueuedRpcs(recording.backends);
    this.#start(variables);
  }

  async run(): Promise<Replayed> {
    for (const [index, step] of this.#scenario.steps.entries()) {
      this.#clock.settle();
      await this.#perform(step, index);
      const isLast = index === this.#scenario.steps.length - 1;
      if (isLast) this.#noteSubscriptions(index + 1);
      this.#rpcs.check(this.#engine, (input) => this.#session?.dispatch(input));
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

  #start(variables: Record<string, string | undefined>): void {
    const text = variables.GRPC_XDS_BOOTSTRAP_CONFIG;
    if (text === undefined) return;
    const read = readBootstrap(new TextEncoder().encode(text), this.#switches);
    if (!read.ok) {
      this.#bootstrapError = read.message;
      return;
    }
    this.#bootstrap = read.bootstrap;
    this.#engine = new Engine(
      engineOptions(read.bootstrap, {
        preset: this.#preset,
        variables,
        userAgentName: '{user_agent_name}',
        userAgentVersion: '{user_agent_version}',
        interfaces: new Map(),
        seed: 1,
      }),
    );
    this.#session = new Session(this.#engine, {
      clock: this.#clock,
      transport: this.#network,
      dns: { resolve: async (host, port) => resolveName(host, port) },
      log: { append: () => {} },
    });
  }

  async #perform(step: Step, index: number): Promise<void> {
    const server = this.#servers.get(step.server ?? 'primary');
    switch (step.op) {
      case 'connect':
        this.#connect(step);
        break;
      case 'xdsServer':
        this.#follow(`#server:${this.#fill(step.address ?? '')}`, undefined, undefined);
        break;
      case 'closeChannel':
        this.#close(step);
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

  #connect(step: Step): void {
    const options = new Map(optionList(step.options));
    const authority = options.get('grpc.default_authority') ?? options.get('grpc.ssl_target_name_override');
    this.#follow(step.target ?? '', step.channel, authority === undefined ? undefined : String(authority));
  }

  #follow(target: string, channel: string | undefined, defaultAuthority: string | undefined): void {
    const resolved = this.#resolve(target, defaultAuthority);
    if (resolved === undefined) return;
    const { scope, listener, dataPlaneAuthority } = resolved;
    const authority = dataPlaneAuthority === '' ? undefined : dataPlaneAuthority;
    this.#session?.dispatch({ kind: 'follow', scope, target: channel ?? target, listener, authority });
  }

  #close({ target = '', channel }: Step): void {
    const scope = this.#engine
      ?.snapshot()
      .find(({ channels }) => channels.some((c) => c.target === (channel ?? target)));
    if (scope !== undefined) {
      this.#session?.dispatch({ kind: 'unfollow', scope: scope.scope, target: channel ?? target });
    }
  }

  #resolve(target: string, defaultAuthority: string | undefined) {
    if (this.#bootstrap === undefined) return undefined;
    const options = { preset: this.#preset, switches: this.#switches, defaultAuthority };
    const result = resolveTarget(target, this.#bootstrap, options);
    if (result.ok) return result.resolution;
    if (result.scope !== undefined) this.#failedScopes.push(result.scope);
    this.#failedTargets.set(target, { code: result.status, message: result.message });
    return undefined;
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
      this.#rpcs.start(step, this.#engine, (input) => this.#session?.dispatch(input));
      return;
    }
    this.#result.rpcs.set(index, this.#predict(step));
    const result = this.#resultOf(index);
    const seconds = result?.code === 'DEADLINE_EXCEEDED' ? (step.timeout ?? 3) : (result?.seconds ?? 0);
    await this.#passSlowly(seconds * 1000);
  }

  /** Before there is a client, the target or the bootstrap decides. */
  #predict(step: Step): PredictedRpc {
    if (this.#engine === undefined || this.#bootstrap === undefined) {
      return { code: 'UNAVAILABLE', message: `Failed to create XdsClient: ${this.#bootstrapError}` };
    }
    const failure = this.#failedTargets.get(step.channel ?? step.target ?? '');
    if (failure !== undefined) return failure;
    const rpc = predictRpc(step, this.#engine, this.#recording.backends, this.#bootstrap.node?.id);
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
    if (this.#engine === undefined || this.#bootstrap === undefined) return [];
    const clients = csdsClients(this.#engine.snapshot(), this.#bootstrap.node, this.#preset, (typeUrl, version, at) =>
      stepAt(this.#responses, typeUrl, version, at),
    );
    const empty = csdsClients(this.#failedScopes.map(emptyScope), this.#bootstrap.node, this.#preset, () => undefined);
    return JSON.parse(this.#unfill(JSON.stringify([...clients, ...empty]))) as unknown[];
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

/** A client whose target leads nowhere. */
function emptyScope(scope: string): ScopeSnapshot {
  const metrics = {
    connected: [],
    serverFailure: [],
    resourceUpdatesValid: [],
    resourceUpdatesInvalid: [],
    resources: [],
  };
  return { scope, authorities: [], entries: [], metrics, channels: [], entry: () => undefined };
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

function optionList(options: Step['options']): [string, unknown][] {
  if (options === undefined) return [];
  return Array.isArray(options[0]) ? (options as [string, unknown][]) : [options as [string, unknown]];
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
