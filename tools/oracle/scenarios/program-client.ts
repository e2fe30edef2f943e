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

/** A call that ends earlier than this before the application's deadline ended at another deadline. */
const EARLY_S = 0.4;

/** Runs a scenario with a process around a real gRPC client. */
export class ProgramClient implements OracleClient {
  readonly #program: OracleProgram;

  private constructor(program: OracleProgram) {
    this.#program = program;
  }

  static async start(command: Command, { variables }: ClientSetup): Promise<ProgramClient> {
    return new ProgramClient(await OracleProgram.start(command, variables));
  }

  connect({ target = '', channel, options }: Step): Promise<void> {
    const list = options === undefined ? [] : Array.isArray(options[0]) ? options : [options];
    return this.#program.connect(target, channel, list as [string, unknown][]);
  }

  closeChannel({ target = '', channel = target }: Step): Promise<void> {
    return this.#program.close(channel);
  }

  serve(address: string): Promise<void> {
    return this.#program.serve(address);
  }

  async rpc(step: Step): Promise<RpcEnd> {
    return endOf(await this.#program.call(callOf(step)), step);
  }

  startRpc(step: Step): Promise<void> {
    return this.#program.start(step.label ?? '', callOf(step));
  }

  async joinRpc(label: string): Promise<RpcEnd> {
    return endOf(await this.#program.join(label), {});
  }

  stream({ label = '', target = '', channel = target }: Step): Promise<void> {
    return this.#program.stream(label, { channel, target, method: '/oracle.Echo/Stream' });
  }

  async endStream(label: string): Promise<RpcEnd> {
    return endOf(await this.#program.endStream(label), {});
  }

  csds(): Promise<Uint8Array> {
    return this.#program.csds();
  }

  async stop(): Promise<void> {
    this.#program.kill();
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
    ...(message !== undefined && { message }),
    ...(isBackend && { backend: answer }),
    ...(step.method?.endsWith('/Hang') && { limit: isLate ? 'application' : 'config' }),
    seconds: Math.round(seconds * 100) / 100,
  };
}
