import type { Event } from '../../core/event.js';
import { LineRenderer } from '../../render/line.js';
import { paintFor } from '../../render/paint.js';
import { statusText } from '../../render/status.js';
import { eventJson } from '../../view/event-json.js';
import { eventLine } from '../../view/event-line.js';
import { type ScopeStatus, scopeStatus } from '../../view/status.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import type { ExitCode } from '../exit-codes.js';
import { type Inspection, inspect } from './inspection.js';
import { exitCodeOf, type Listing, readListing } from './listing.js';
import { isUnanswered, tellUnanswered } from './no-answer.js';
import { Screen } from './screen.js';
import { waitFor } from './settling.js';
import { ageAt } from './status.js';

const FOR_EVER_MS = 2 ** 31 - 1;

/** `watch`: what happens, as it happens. */
export async function watch(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const listing = readListing(args);
  const began = env.clock.now();
  const isLive = args.output === 'table' && env.stdout.isTerminal && env.variables.TERM !== 'dumb';
  const print = isLive ? undefined : eventPrinter(args, env);
  // What is printed already need not be shown as the wire.
  const quietly = isLive ? args : { ...args, verbose: false };
  const isData = args.output === 'ndjson';
  const inspection = await inspect(quietly, env, (event, isStorm) => {
    // What goes on and on is one finding to a person; a script gets every event.
    if (print === undefined || !listing.isShownEvent(event) || (isStorm && !isData)) return;
    env.stdout.write(print(event));
  });
  const screen = isLive ? await openScreen(inspection, listing, args, env) : undefined;
  const limit = (args.for as number | undefined) ?? FOR_EVER_MS;
  const end = await waitFor(
    () => false,
    limit,
    env,
    () => screen?.draw(),
  );
  const snapshot = inspection.snapshot();
  const scopes = statusOf(inspection, listing);
  screen?.close();
  inspection.close();
  tellUnanswered(snapshot, env.clock.now() - began, env);
  // The end of the time is the ordinary end, unless it was spent in silence.
  return exitCodeOf(scopes, end === 'timed out' && !isUnanswered(snapshot) ? 'settled' : end, listing);
}

function statusOf(inspection: Inspection, listing: Listing): ScopeStatus[] {
  const findings = inspection.findings().filter(listing.isShownFinding);
  return inspection.snapshot().map((scope) => scopeStatus(scope, true, listing.isShown, findings));
}

function eventPrinter(args: Arguments, env: CliEnvironment): (event: Event) => string {
  if (args.output === 'ndjson') return (event) => `${JSON.stringify(eventJson(event))}\n`;
  const renderer = new LineRenderer(useColor(args.color as ColorChoice, env, env.stdout));
  return (event) => renderer.render(eventLine(event));
}

async function openScreen(
  inspection: Inspection,
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<Screen> {
  const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
  const text = (): string => {
    const options = { isWide: false, showsTimes: args.timestamp === true, ageOf: ageAt(env.clock.now()) };
    return statusOf(inspection, listing)
      .map((scope) => statusText(scope, options, paint))
      .join('\n');
  };
  return new Screen(env, text, inspection.changedAt);
}
