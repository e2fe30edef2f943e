import { countText } from '../../base/count-text.js';
import type { Event } from '../../core/event.js';
import { eventJson } from '../../view/event-json.js';
import { type FindingView, findingViews } from '../../view/finding.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { tearsText } from '../../view/render/tears.js';
import { type ScopeTears, scopeTears } from '../../view/tears.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import { type CliEnvironment, widthOf } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { printFound } from './found.js';
import { type Inspection, inspect } from './inspection.js';
import { isUnanswered, isWithoutServer, reporting, tellUnanswered } from './no-answer.js';
import { Progress } from './progress.js';
import { waitFor } from './settling.js';

/** What is an event to this command. */
const TOLD: ReadonlySet<Event['kind']> = new Set(['tear', 'finding']);

/** `tears`: what was seen is reported however it ends. */
export async function tears(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const began = env.clock.now();
  const inspection = await inspect(args, env, (event) => {
    if (args.output === 'ndjson' && TOLD.has(event.kind)) env.stdout.write(jsonText(eventJson(event), true));
  });
  const limit = args.for as number;
  const progress = new Progress(args, env, limit);
  const end = await waitFor(
    () => false,
    limit,
    env,
    () => progress.say(observedText(inspection)),
  );
  progress.clear();
  const now = env.clock.now();
  const snapshot = inspection.snapshot();
  const scopes = snapshot.map((scope) => scopeTears(scope, now));
  const found = findingViews(inspection.findings());
  inspection.close();
  await print(scopes, found, now - began, args, reporting(snapshot, args.output, env));
  tellUnanswered(snapshot, now - began, env);
  if (end === 'interrupted') return EXIT.interrupted;
  if (isWithoutServer(snapshot)) return EXIT.unavailable;
  // Where nothing was received, nothing can be said.
  if (isUnanswered(snapshot)) return EXIT.timedOut;
  const isFinding = scopes.some((scope) => scope.tears.some(({ durationMs }) => durationMs > (args.maxTear as number)));
  return isFinding ? EXIT.findings : EXIT.ok;
}

function observedText(inspection: Inspection): string {
  const scopes = inspection.snapshot();
  const resources = scopes.reduce((sum, { entries }) => sum + entries.length, 0);
  const seen = scopes.flatMap(({ channels }) => channels).reduce((sum, channel) => sum + channel.tears.length, 0);
  return `observing ${countText(resources, 'resource')}: ${seen === 0 ? 'no tear' : countText(seen, 'tear')} so far`;
}

async function print(
  scopes: ScopeTears[],
  findings: readonly FindingView[],
  observedMs: number,
  args: Arguments,
  env: CliEnvironment,
): Promise<void> {
  const document = { schema: 'xds-inspect/tears/v1', as: args.as, observedMs, scopes, findings };
  if (args.output === 'ndjson') return;
  if (args.output === 'json') env.stdout.write(jsonText(document));
  else if (args.output === 'yaml') env.stdout.write((await import('../../view/render/yaml.js')).yamlText(document));
  else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
    const texts = scopes.map((scope) =>
      tearsText(scope, observedMs, args.maxTear as number, paint, widthOf(env.stdout)),
    );
    env.stdout.write(texts.join('\n'));
    await printFound(findings, args, env);
  }
}
