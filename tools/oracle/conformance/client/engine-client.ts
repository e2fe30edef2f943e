import type { Bootstrap } from '../../../../src/bootstrap/bootstrap.js';
import { policiesOf } from '../../../../src/bootstrap/presets.js';
import { readBootstrap } from '../../../../src/bootstrap/read-bootstrap.js';
import { type Preset, readSwitches, type Switches } from '../../../../src/bootstrap/switches.js';
import { resolveTarget } from '../../../../src/bootstrap/target.js';
import { statusTexts } from '../../../../src/core/status-texts/index.js';
import type { CsdsClientState } from '../../../../src/csds/client-status.js';
import { Engine } from '../../../../src/engine/engine.js';
import { engineOptions } from '../../../../src/engine/options.js';
import type { Clock, Dns, Transport } from '../../../../src/engine/ports.js';
import type { ScopeSnapshot } from '../../../../src/engine/scope.js';
import { Session } from '../../../../src/engine/session.js';
import { QueuedRpcs } from './queued-rpcs.js';
import type { Step } from './recording.js';
import { type PredictedRpc, predictRpc } from './rpcs.js';

export interface EngineClientOptions {
  preset: Preset;
  /** Includes the bootstrap. */
  variables: Record<string, string | undefined>;
  /** Ports by label. */
  backends: Record<string, number>;
  ports: { clock: Clock; transport: Transport; dns: Dns };
  interfaces?: ReadonlyMap<string, number>;
}

const USER_AGENT = { userAgentName: '{user_agent_name}', userAgentVersion: '{user_agent_version}' };
const NO_BOOTSTRAP = 'Environment variables GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG not defined';

/** The engine, driven by the operations of an application with channels. */
export class EngineClient {
  readonly bootstrap: Bootstrap | undefined;
  readonly #preset: Preset;
  readonly #switches: Switches;
  readonly #bootstrapError: string;
  readonly #engine: Engine | undefined;
  readonly #session: Session | undefined;
  readonly #backends: Record<string, number>;
  readonly #queued: QueuedRpcs;
  /** The channels of the application, by key. */
  readonly #channels = new Set<string>();
  /** Scopes of targets that cannot be resolved, and the outcome of RPCs to such targets. */
  readonly #failedScopes: string[] = [];
  readonly #failedTargets = new Map<string, PredictedRpc>();

  constructor({ preset, variables, backends, ports, interfaces = new Map() }: EngineClientOptions) {
    this.#preset = preset;
    this.#backends = backends;
    this.#queued = new QueuedRpcs(backends);
    this.#switches = readSwitches(variables, preset);
    const text = variables.GRPC_XDS_BOOTSTRAP_CONFIG;
    const read = text === undefined ? undefined : readBootstrap(new TextEncoder().encode(text), this.#switches);
    this.#bootstrapError = read?.ok === false ? read.message : NO_BOOTSTRAP;
    if (!read?.ok) return;
    this.bootstrap = read.bootstrap;
    const environment = { preset, variables, ...USER_AGENT, interfaces, seed: ports.clock.now() };
    this.#engine = new Engine(engineOptions(read.bootstrap, environment));
    this.#session = new Session(this.#engine, { ...ports, log: { append: () => {} } });
  }

  /** The states that CSDS shows. */
  csdsStates(): CsdsClientState[] {
    const { node } = this.bootstrap ?? {};
    const identity = { id: node?.id ?? '', ...USER_AGENT, ...(node && { bootstrap: node }) };
    return this.snapshot().map(({ scope, entries }) => ({ scope, node: identity, entries }));
  }

  connect({ target = '', channel, options }: Step): void {
    this.#channels.add(channel ?? target);
    const given = new Map(optionList(options));
    const authority = given.get('grpc.default_authority') ?? given.get('grpc.ssl_target_name_override');
    this.#follow(target, channel ?? target, authority === undefined ? undefined : String(authority));
  }

  serve(address: string): void {
    const target = `#server:${address}`;
    this.#follow(target, target, undefined);
  }

  closeChannel({ target = '', channel = target }: Step): void {
    this.#channels.delete(channel);
    const scope = this.#scopes().find(({ channels }) => channels.some((one) => one.target === channel))?.scope;
    if (scope !== undefined) this.#session?.dispatch({ kind: 'unfollow', scope, target: channel });
  }

  /** Predicts an RPC. A bad bootstrap or target determines the outcome before the client does. */
  predict(step: Step): PredictedRpc {
    this.#needChannel(step);
    if (this.#engine === undefined) {
      return { code: 'UNAVAILABLE', message: `Failed to create XdsClient: ${this.#bootstrapError}` };
    }
    const texts = statusTexts(policiesOf(this.#preset).statusTexts);
    const failure = this.#failedTargets.get(step.channel ?? step.target ?? '');
    return failure ?? predictRpc(step, this.#engine, this.#backends, this.bootstrap?.node?.id, texts);
  }

  /** Starts an RPC that is queued until a backend is reachable. */
  queue(step: Step): void {
    this.#needChannel(step);
    this.#queued.start(step, this.#engine, (input) => this.#session?.dispatch(input));
  }

  checkQueued(): void {
    this.#queued.check(this.#engine, (input) => this.#session?.dispatch(input));
  }

  /** Every scope, including empty ones. */
  snapshot(): ScopeSnapshot[] {
    return [...this.#scopes(), ...this.#failedScopes.map(emptyScope)];
  }

  close(): void {
    this.#session?.close();
  }

  /** An RPC may be the first to need its channel. */
  #needChannel({ target = '', channel = target }: Step): void {
    if (!this.#channels.has(channel)) this.connect({ op: 'connect', target, channel });
  }

  #scopes(): ScopeSnapshot[] {
    return this.#engine?.snapshot() ?? [];
  }

  #follow(target: string, channel: string, defaultAuthority: string | undefined): void {
    if (this.bootstrap === undefined) return;
    const options = { preset: this.#preset, switches: this.#switches, defaultAuthority };
    const resolved = resolveTarget(target, this.bootstrap, options);
    if (!resolved.ok) {
      if (resolved.scope !== undefined) this.#failedScopes.push(resolved.scope);
      this.#failedTargets.set(target, { code: resolved.status, message: resolved.message });
      return;
    }
    const { scope, listener, dataPlaneAuthority } = resolved.resolution;
    const authority = dataPlaneAuthority === '' ? undefined : dataPlaneAuthority;
    this.#session?.dispatch({ kind: 'follow', scope, target: channel, listener, authority });
  }
}

function optionList(options: Step['options']): [string, unknown][] {
  if (options === undefined) return [];
  return Array.isArray(options[0]) ? (options as [string, unknown][]) : [options as [string, unknown]];
}

/** The scope of a target that cannot be resolved. */
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
