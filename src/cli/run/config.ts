import type { XdsConfig } from '../../deps/config.js';
import { hasLostAuthority } from '../../engine/lost.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { selectableKeys } from '../../routing/config-selector.js';
import { EMPTY_SERVICE_CONFIG, priorityConfig, serviceConfig } from '../../routing/service-config.js';
import { type ConfigView, configView } from '../../view/config.js';
import { type FindingView, findingViews } from '../../view/finding.js';
import { configDot, configMermaid } from '../../view/render/config-graph.js';
import { configTree } from '../../view/render/config-tree.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { fitLines } from '../../view/render/wrap.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import { type CliEnvironment, widthOf } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { printFound } from './found.js';
import { type Inspection, inspect } from './inspection.js';
import { reporting, tellUnanswered } from './no-answer.js';
import { Progress } from './progress.js';
import { type Ending, settled, timeLimit } from './settling.js';
import { ageAt } from './status.js';

/** `config`: what RPCs have to go by, however the wait for it ends. */
export async function config(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const began = env.clock.now();
  const inspection = await inspect(args, env);
  const limit = timeLimit(args, inspection);
  const progress = new Progress(args, env, limit);
  const end = await settled(inspection, limit, env, () => progress.show(inspection));
  progress.clear();
  const snapshot = inspection.snapshot();
  const isLost = snapshot.some(hasLostAuthority);
  const views = viewsOf(inspection);
  const found = findingViews(inspection.findings());
  inspection.close();
  const told = reporting(snapshot, args.output, env);
  if (args.output === 'service-config') printServiceConfigs(snapshot, told);
  else await printConfigs(views, found, args, told);
  tellUnanswered(snapshot, env.clock.now() - began, env);
  return exitCode(views, end, isLost);
}

function viewsOf(inspection: Inspection): ConfigView[] {
  const nodeId = inspection.bootstrap.node?.id;
  return inspection.snapshot().flatMap((scope) => scope.channels.map((channel) => configView(scope, channel, nodeId)));
}

/** What gRPC's resolver and its cds policies would configure load balancing with. */
export function printServiceConfigs(snapshot: readonly ScopeSnapshot[], env: CliEnvironment): void {
  for (const { target, state } of snapshot.flatMap(({ channels }) => channels)) {
    const config = state.kind === 'published' ? state.config : undefined;
    const document = {
      target,
      serviceConfig: config === undefined ? EMPTY_SERVICE_CONFIG : serviceConfig(selectableKeys(config), config),
      cds: Object.fromEntries(
        [...(config?.clusters.keys() ?? [])].map((name) => [name, priorityConfig(name, config as XdsConfig)]),
      ),
    };
    env.stdout.write(jsonText(document));
  }
}

export async function printConfigs(
  views: readonly ConfigView[],
  findings: readonly FindingView[],
  args: Arguments,
  env: CliEnvironment,
): Promise<void> {
  const document = { schema: 'xds-inspect/config/v1', as: args.as, configs: views, findings };
  const write = (text: string): void => env.stdout.write(text);
  if (args.output === 'json') write(jsonText(document));
  else if (args.output === 'yaml') write((await import('../../view/render/yaml.js')).yamlText(document));
  else if (args.output === 'dot') for (const view of views) write(configDot(view));
  else if (args.output === 'mermaid') for (const view of views) write(configMermaid(view));
  else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
    const options = { isWide: args.output === 'wide', ageOf: ageAt(env.clock.now()) };
    const columns = options.isWide ? undefined : widthOf(env.stdout);
    write(fitLines(views.map((view) => configTree(view, options, paint)).join('\n'), columns));
    await printFound(findings, args, env);
  }
}

function exitCode(views: readonly ConfigView[], end: Ending, isLost: boolean): ExitCode {
  if (end === 'interrupted') return EXIT.interrupted;
  if (views.every((view) => view.config === 'published')) return EXIT.ok;
  if (isLost) return EXIT.unavailable;
  return end === 'timed out' ? EXIT.timedOut : EXIT.findings;
}
