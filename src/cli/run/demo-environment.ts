import { explainView } from '../../inspect/explain/explain.js';
import type { ExplainView } from '../../inspect/explain/explanation.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { inspectionResult } from '../../inspect/inspection-result.js';
import { defaultTimeLimit, settled } from '../../inspect/settled.js';
import { until, type WaitEnding } from '../../inspect/until.js';
import { builtInPath } from '../../io/built-in-scenarios.js';
import { ControlPlaneHost } from '../../io/control-plane-host.js';
import type { CliEnvironment } from '../../io/environment.js';
import { loadScenario } from '../../io/load-scenario.js';
import { bootstrapFor } from '../../scenario/bootstrap.js';
import { ControlPlane } from '../../scenario/control-plane.js';
import { jsonText } from '../../view/render/json.js';
import type { DemoStepName } from '../demo-step-names.js';
import { Printer, type PrinterOptions } from '../printer.js';
import { connect } from './connect.js';
import type { DemoStep } from './demo-steps.js';

/** The resource timer in the demo. gRPC's 15 s would take too long. */
export const RESOURCE_TIMER_MS = 1000;

/** The control plane of a demo step, on its own ports, and the application that uses it. */
export class DemoEnvironment {
  /** The environment of commands: the bootstrap of this control plane, with stderr merged into stdout. */
  readonly env: CliEnvironment;
  readonly #host: ControlPlaneHost;
  readonly #application: ClientInspection | undefined;

  private constructor(env: CliEnvironment, host: ControlPlaneHost, application: ClientInspection | undefined) {
    this.env = env;
    this.#host = host;
    this.#application = application;
  }

  static async open(
    name: DemoStepName,
    { application }: DemoStep,
    options: PrinterOptions,
    env: CliEnvironment,
  ): Promise<DemoEnvironment> {
    const scenario = await loadScenario(builtInPath(name, env));
    const host = new ControlPlaneHost(scenario, new ControlPlane(scenario), {
      host: '127.0.0.1',
      port: 0,
      clock: env.clock,
      onEvent: () => {},
      onFailure: (error) => new Printer(options, env).fail(error.message),
    });
    try {
      await host.reserve();
      await host.start();
      const own = commandEnvironment(jsonText(bootstrapFor(scenario, host.addresses), true), options, env);
      const client = application && (await connect(connectInput(application.target), new Printer(options, own)));
      client?.start();
      return new DemoEnvironment(own, host, client);
    } catch (error) {
      host.close();
      throw error;
    }
  }

  /** Predicts the outcome of an RPC of the application, once its configuration has settled. */
  async call(method: string): Promise<{ ending: WaitEnding; status: ExplainView['status'] }> {
    const client = this.#application;
    if (client === undefined) return { ending: 'met', status: null };
    const wait = { limit: defaultTimeLimit(client), onInterrupt: this.env.onInterrupt };
    const ending = await until(client, settled(client), wait);
    const [target] = inspectionResult(client, ending).targets;
    if (target === undefined) return { ending, status: null };
    const call = { path: method, metadata: [] };
    const { nodeId, scope, channel } = target;
    const options = { call, deadlineMs: undefined, rules: 'today' as const, nodeId, random: () => 0 };
    return { ending, status: explainView(scope, channel, options).status };
  }

  close(): void {
    this.#application?.close();
    this.#host.close();
  }
}

/** Removes the settings of the user, which apply to other control planes. */
function commandEnvironment(bootstrap: string, { color }: PrinterOptions, env: CliEnvironment): CliEnvironment {
  const others = Object.entries(env.variables).filter(([name]) => !/^(GRPC_|XDS_INSPECT_)/.test(name));
  return {
    ...env,
    stderr: env.stdout,
    variables: {
      ...Object.fromEntries(others),
      GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap,
      XDS_INSPECT_COLOR: color,
    },
    resourceTimerMs: RESOURCE_TIMER_MS,
  };
}

function connectInput(target: string): Parameters<typeof connect>[0] {
  return {
    targets: [target],
    as: 'spec',
    bootstrap: undefined,
    server: undefined,
    plaintext: false,
    cacert: undefined,
    cert: undefined,
    key: undefined,
    nodeId: undefined,
    nodeMetadata: [],
    userAgent: undefined,
    defaultAuthority: undefined,
    record: undefined,
    showSecrets: false,
  };
}
