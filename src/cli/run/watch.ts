import type { Event } from '../../core/event.js';
import { eventJson } from '../../view/event-json.js';
import { eventLine } from '../../view/event-line.js';
import { jsonText } from '../../view/render/json.js';
import { LineRenderer } from '../../view/render/line.js';
import { type ScopeStatus, scopeStatus } from '../../view/status.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { sayWhy } from './exit-line.js';
import { type Inspection, inspect } from './inspection.js';
import { exitCodeOf, type Listing, readListing } from './listing.js';
import { LiveTable } from './live-table.js';
import { isUnanswered, tellUnanswered } from './no-answer.js';
import { type Ending, waitFor } from './settling.js';

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
  const table = isLive ? await LiveTable.open(inspection, listing, args, env) : undefined;
  const limit = (args.for as number | undefined) ?? FOR_EVER_MS;
  let end: Ending;
  try {
    end = await waitFor(
      () => false,
      limit,
      env,
      () => table?.refresh(),
    );
  } finally {
    table?.close();
  }
  const snapshot = inspection.snapshot();
  const scopes = statusOf(inspection, listing);
  inspection.close();
  // The end of the time is the ordinary end, unless it was spent in silence.
  const code = exitCodeOf(scopes, end === 'timed out' && !isUnanswered(snapshot) ? 'settled' : end, listing);
  const hasTold = code !== EXIT.interrupted && tellUnanswered(snapshot, env.clock.now() - began, env);
  if (!hasTold || code !== EXIT.unavailable) sayWhy(code, scopes, listing, args, env);
  return code;
}

function statusOf(inspection: Inspection, listing: Listing): ScopeStatus[] {
  const findings = inspection.findings().filter(listing.isShownFinding);
  return inspection.snapshot().map((scope) => scopeStatus(scope, true, listing.isShown, findings));
}

function eventPrinter(args: Arguments, env: CliEnvironment): (event: Event) => string {
  if (args.output === 'ndjson') return (event) => jsonText(eventJson(event), true);
  const renderer = new LineRenderer(useColor(args.color as ColorChoice, env, env.stdout), args.timestamp === true);
  return (event) => renderer.render(eventLine(event));
}
