import type { Command } from '../../peers/peers.js';
import type { Step } from '../conformance/client/recording.js';
import { type Call, type CallResult, OracleProgram } from '../oracle-program.js';
import {
  type ClientSetup,
  DEFAULT_METHOD,
  DEFAULT_TIMEOUT_S,
  type OracleClient,
  type RpcEnd,
} from './oracle-client.js';
import { stableMessage } from './stable-message.js';

/** A call that ends earlier than this before the application's deadline ended at another deadline. */
const EARLY_S = 0.4;

/** The exception that Node.js prints when it ends. */
const UNCAUGHT = /^\w*Error: .*$/m;

/** Runs a scenario with a process around a real gRPC client. */
export class ProgramClient implements OracleClient {
  readonly #program: OracleProgram;
  /** The exception that ended the process. */
  #crash: string | undefined;

  private constructor(program: OracleProgram) {
    this.#program = program;
  }

  static async start(command: Command, { variables }: ClientSetup): Promise<ProgramClient> {
    return new ProgramClient(await OracleProgram.start(command, variables));
  }

  async connect({ target = '', channel, options }: Step): Promise<void> {
    const list = options === undefined ? [] : Array.isArray(options[0]) ? options : [options];
    await this.#unlessCrashed(() => this.#program.connect(target, channel, list as [string, unknown][]));
  }

  async closeChannel({ target = '', channel = target }: Step): Promise<void> {
    await this.#unlessCrashed(() => this.#program.close(channel));
  }

  async serve(address: string): Promise<void> {
    await this.#unlessCrashed(() => this.#program.serve(address));
  }

  async rpc(step: Step): Promise<RpcEnd> {
    return this.#endOf(await this.#unlessCrashed(() => this.#program.call(callOf(step))), step);
  }

  async startRpc(step: Step): Promise<void> {
    await this.#unlessCrashed(() => this.#program.start(step.label ?? '', callOf(step)));
  }

  async joinRpc(label: string): Promise<RpcEnd> {
    return this.#endOf(await this.#unlessCrashed(() => this.#program.join(label)), {});
  }

  async stream({ label = '', target = '', channel = target }: Step): Promise<void> {
    await this.#unlessCrashed(() => this.#program.stream(label, { channel, target, method: '/oracle.Echo/Stream' }));
  }

  async endStream(label: string): Promise<RpcEnd> {
    return this.#endOf(await this.#unlessCrashed(() => this.#program.endStream(label)), {});
  }

  async csds(): Promise<Uint8Array> {
    return (await this.#unlessCrashed(() => this.#program.csds())) ?? new Uint8Array(0);
  }

  async stop(): Promise<void> {
    this.#program.kill();
  }

  /** An uncaught exception ends the process, which is behaviour too: later operations have no result. */
  async #unlessCrashed<T>(operation: () => Promise<T>): Promise<T | undefined> {
    if (this.#crash !== undefined) return undefined;
    try {
      return await operation();
    } catch (error) {
      this.#crash = UNCAUGHT.exec((error as Error).message)?.[0];
      if (this.#crash === undefined) throw error;
      return undefined;
    }
  }

  #endOf(result: CallResult | undefined, step: Partial<Step>): RpcEnd {
    return result === undefined ? { code: 'CRASHED', message: this.#crash } : endOf(result, step);
  }
}

function callOf(step: Step): Call {
  const { target = '', channel = target, method = DEFAULT_METHOD, metadata = [], waitForReady = false } = step;
  return { channel, target, method, metadata, waitForReady, timeout: step.timeout ?? DEFAULT_TIMEOUT_S };
}

function endOf({ code, message, answer, seconds }: CallResult, step: Partial<Step>): RpcEnd {
  const isBackend = code === 'OK' && answer !== undefined && step.method?.endsWith('/Deadline') !== true;
  const isLate = seconds > (step.timeout ?? DEFAULT_TIMEOUT_S) - EARLY_S;
  return {
    code,
    ...(message !== undefined && { message: stableMessage(message) }),
    ...(isBackend && { backend: answer }),
    ...(step.method?.endsWith('/Hang') && { limit: isLate ? 'application' : 'config' }),
    seconds: Math.round(seconds * 100) / 100,
  };
}
