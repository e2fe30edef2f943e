import { eventJson } from '../../view/event-json.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { type StatusTextOptions, statusText } from '../../view/render/status.js';
import { type ScopeStatus, scopeStatus } from '../../view/status.js';
import { visible } from '../../view/visible-text.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import { type CliEnvironment, widthOf } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { sayWhy } from './exit-line.js';
import { type Inspection, inspect } from './inspection.js';
import { exitCodeOf, readListing } from './listing.js';
import { reporting, tellUnanswered } from './no-answer.js';
import { Progress } from './progress.js';
import { settled, timeLimit } from './settling.js';

/** `status`: what was seen is printed however it ends. */
export async function status(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const listing = readListing(args);
  const began = env.clock.now();
  const inspection = await inspect(args, env, (event) => {
    if (args.output === 'ndjson' && listing.isShownEvent(event)) {
      env.stdout.write(jsonText(eventJson(event), true));
    }
  });
  const limit = timeLimit(args, inspection);
  const progress = new Progress(args, env, limit);
  const end = await settled(inspection, limit, env, () => progress.show(inspection));
  progress.clear();
  const findings = inspection.findings().filter(listing.isShownFinding);
  const isSettled = end === 'settled';
  const snapshot = inspection.snapshot();
  const scopes = snapshot.map((scope) => scopeStatus(scope, isSettled, listing.isShown, findings));
  inspection.close();
  if (args.output === 'csds') {
    const { printClientStatus } = await import('./print-client-status.js');
    printClientStatus(snapshot, inspection.node, listing, args, env);
  } else await print(scopes, inspection, args, reporting(snapshot, args.output, env));
  const code = exitCodeOf(scopes, end, listing);
  const hasTold = code !== EXIT.interrupted && tellUnanswered(snapshot, env.clock.now() - began, env);
  if (!hasTold || code !== EXIT.unavailable) sayWhy(code, scopes, listing, args, env);
  return code;
}

/** Lists for people stop here. */
const MAX_FINDINGS = 20;

/** How a scope is written for people. */
export function textOptions(args: Arguments, env: CliEnvironment, nodeId: string | undefined): StatusTextOptions {
  return {
    isWide: args.output === 'wide',
    showsTimes: args.timestamp === true,
    ageOf: ageAt(env.clock.now()),
    width: args.output === 'wide' ? undefined : widthOf(env.stdout),
    continuesErrors: true,
    maxFindings: MAX_FINDINGS,
    nodeId,
  };
}

/** Against the clock that made the times. */
export function ageAt(now: number): (time: string) => number {
  return (time) => now - Date.parse(time);
}

async function print(
  scopes: ScopeStatus[],
  { source, bootstrap }: Inspection,
  args: Arguments,
  env: CliEnvironment,
): Promise<void> {
  const document = { schema: 'xds-inspect/status/v1', as: args.as, bootstrap: source, scopes };
  switch (args.output) {
    case 'ndjson':
      break;
    case 'json':
      env.stdout.write(jsonText(document));
      break;
    case 'yaml':
      env.stdout.write((await import('../../view/render/yaml.js')).yamlText(document));
      break;
    case 'name':
      for (const { resources } of scopes)
        for (const { type, name } of resources) env.stdout.write(`${visible(`${type}/${name}`)}\n`);
      break;
    default: {
      const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
      const options = textOptions(args, env, bootstrap.node?.id);
      env.stdout.write(scopes.map((scope) => statusText(scope, options, paint)).join('\n'));
    }
  }
}
