import { type Preset, readSwitches } from '../../bootstrap/switches.js';
import type { Event } from '../../core/event.js';
import { POLICIES } from '../../core/policies.js';
import { engineOptions } from '../../engine/options.js';
import { Fetch, UnaskableNames } from '../../fetch/fetch.js';
import type { News } from '../../fetch/holdings.js';
import { resourceType } from '../../fetch/resource-type.js';
import { GrpcTransport } from '../../io/grpc-transport.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import { systemDns } from '../../io/system-dns.js';
import { jsonText } from '../../render/json.js';
import { paintFor } from '../../render/paint.js';
import { Session } from '../../session/session.js';
import { eventJson } from '../../view/event-json.js';
import { eventLine } from '../../view/event-line.js';
import { type FindingView, findingViews } from '../../view/finding.js';
import { getView, newsJson, type Printing, resourceView } from '../../view/get.js';
import { failureLine, missingLines, newsLines } from '../../view/get-lines.js';
import { visible, visibleAtStart, visibleShort } from '../../view/visible-text.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import { type CliEnvironment, widthOf } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { connectBootstrap } from './connect-bootstrap.js';
import { readThreshold } from './finding-filter.js';
import { printFound } from './found.js';
import { wireOn } from './inspection.js';
import { Progress } from './progress.js';
import { type Ending, waitFor } from './settling.js';
import { readSuppressed } from './suppressed.js';
import { catalogueFor } from './user-types.js';

const FOR_EVER_MS = 2 ** 31 - 1;
/** As gRPC waits for one resource; only for the progress line. */
const USUAL_MS = 15_000;

/** What it says in other words: who is missing, and that a server has no ADS. */
const SAID: ReadonlySet<string> = new Set(['XI204', 'XI220']);

/** `get`: what came is printed however it ends. */
export async function get(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  checkFlags(args);
  const failing = readFailOn(args);
  const suppressed = readSuppressed(args, env);
  const catalogue = await catalogueFor(args, env);
  const type = resourceType(args.type as string, catalogue);
  if ('problem' in type) throw new Failure(EXIT.usage, type.problem);
  if (type.remark !== undefined && args.quiet !== true) env.stderr.write(`${visible(type.remark)}\n`);
  const printing: Printing = { type, catalogue, showSecrets: args.showSecrets === true };
  const fetch = await makeFetch(type.typeUrl, args, env);
  const news = args.watch === true || args.output === 'ndjson' ? await newsPrinter(printing, args, env) : undefined;
  const found = { rejected: false, reported: false };
  const session = start(fetch, args, env, (event) => {
    for (const one of fetch.takeNews()) {
      note(one, found);
      news?.(one);
      if (args.watch === true) tell(one, env);
    }
    if (event.kind === 'finding') {
      if (!suppressed.has(event.code)) tellFinding(event, args, env);
    } else if (args.watch === true) tellTrouble(event, args, env);
  });
  const end = await wait(fetch, args, env);
  session.close();
  const findings = findingViews(fetch.findings.filter(({ code }) => !suppressed.has(code)));
  if (news === undefined) await print(fetch, findings, printing, args, env);
  if (args.watch !== true) for (const one of [...fetch.resources, ...fetch.errors]) tell(one, env);
  tellEnd(fetch, end, args, env);
  if (args.watch !== true && args.output !== 'ndjson') {
    const unsaid = findings.filter(({ code }) => !SAID.has(code));
    await printFound(unsaid, args, env, env.stderr);
  }
  const isFinding = findings.some(readThreshold(args));
  return exitCode(fetch, end, isFinding || isFailing(found, failing));
}

function checkFlags(args: Arguments): void {
  const isWatching = args.watch === true;
  if (!isWatching && args.for !== undefined)
    throw new Failure(EXIT.usage, '--for goes with --watch, which is not given');
  if (isWatching && args.timeout !== undefined) {
    throw new Failure(EXIT.usage, '--timeout ends a wait for answers; --for says how long to watch');
  }
  if (isWatching && args.output === 'table') {
    throw new Failure(EXIT.usage, '--watch prints yaml, ndjson or name as it comes, not a table');
  }
}

const FAILING = ['NACKED', 'RECEIVED_ERROR'];

function readFailOn(args: Arguments): ReadonlySet<string> {
  const words = String(args.failOn)
    .split(',')
    .map((word) => word.trim().toUpperCase());
  if (words.length === 1 && words[0] === 'NONE') return new Set();
  const wrong = words.find((word) => !FAILING.includes(word));
  if (wrong !== undefined)
    throw new Failure(EXIT.usage, `--fail-on takes ${FAILING.join(', ')} or none, not "${wrong}"`);
  return new Set(words);
}

async function makeFetch(typeUrl: string, args: Arguments, env: CliEnvironment): Promise<Fetch> {
  const preset = args.as as Preset;
  const { bootstrap } = await connectBootstrap(args, readSwitches(env.variables, preset), env);
  const { servers, authorities, node, context, seed } = engineOptions(bootstrap, {
    preset,
    variables: env.variables,
    userAgentName: (args.userAgent as string | undefined) ?? 'xds-inspect',
    userAgentVersion: env.version,
    interfaces: interfacesByName(),
    seed: env.clock.now(),
  });
  try {
    return new Fetch({
      typeUrl,
      names: (args.names as string[] | undefined) ?? [],
      servers,
      authorities,
      ignoresAuthorities: args.server !== undefined,
      node,
      context,
      policies: POLICIES[preset],
      nack: args.nack as string | undefined,
      follows: args.watch === true,
      timeoutMs: args.timeout as number | undefined,
      seed,
    });
  } catch (error) {
    if (error instanceof UnaskableNames) throw new Failure(EXIT.findings, error.problems.join('\n'));
    throw error;
  }
}

function start(fetch: Fetch, args: Arguments, env: CliEnvironment, onEvent: (event: Event) => void): Session {
  const showWire = args.verbose === true ? wireOn(args, env) : undefined;
  const session = new Session(fetch, {
    clock: env.clock,
    transport: new GrpcTransport({ maxResponseBytes: POLICIES[args.as as Preset].maxResponseBytes }),
    dns: systemDns,
    log: {
      append: (event) => {
        if (!fetch.isStorm(event)) showWire?.(event);
        onEvent(event);
      },
    },
  });
  session.dispatch({ kind: 'tick' });
  return session;
}

async function wait(fetch: Fetch, args: Arguments, env: CliEnvironment): Promise<Ending> {
  const isWatching = args.watch === true;
  const limit = ((isWatching ? args.for : undefined) as number | undefined) ?? FOR_EVER_MS;
  const progress = new Progress(args, env, (args.timeout as number | undefined) ?? USUAL_MS);
  const end = await waitFor(
    () => fetch.state !== 'open',
    limit,
    env,
    () => {
      if (!isWatching) progress.say(waitingFor(fetch));
    },
  );
  progress.clear();
  return end;
}

function waitingFor({ missing, server }: Fetch): string {
  const names = missing.slice(0, 3).map(visibleShort).join(', ');
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  return `waiting for ${names === '' ? 'everything' : names}${more} from ${visibleShort(server)}`;
}

async function newsPrinter(printing: Printing, args: Arguments, env: CliEnvironment): Promise<(news: News) => void> {
  const write = (text: string): void => env.stdout.write(text);
  if (args.output === 'name') {
    return (news) => {
      if (news.kind === 'resource') write(nameLine(news.received.name));
    };
  }
  if (args.output !== 'yaml') return (news) => write(jsonText(newsJson(news, printing), true));
  const { resourceDocument } = await import('../../render/get.js');
  return (news) => {
    if (news.kind === 'resource') write(resourceDocument(resourceView(news, printing)));
  };
}

function nameLine(name: string): string {
  return `${visibleAtStart(visible(name))}\n`;
}

async function print(
  fetch: Fetch,
  findings: readonly FindingView[],
  printing: Printing,
  args: Arguments,
  env: CliEnvironment,
): Promise<void> {
  const view = getView(fetch, findings, printing);
  if (args.output === 'json') env.stdout.write(jsonText(view));
  else if (args.output === 'name') for (const { name } of view.resources) env.stdout.write(nameLine(name));
  else {
    const { resourceDocument, resourceTable } = await import('../../render/get.js');
    if (args.output === 'yaml') for (const one of view.resources) env.stdout.write(resourceDocument(one));
    else {
      const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
      env.stdout.write(resourceTable(view.resources, paint, widthOf(env.stdout)));
    }
  }
}

function note(news: News, found: { rejected: boolean; reported: boolean }): void {
  if (news.kind === 'error') found.reported = true;
  if (news.kind === 'resource' && news.received.verdict === 'rejected') found.rejected = true;
}

/** What deserves a word beside the data. */
function tell(news: News, env: CliEnvironment): void {
  for (const line of newsLines(news)) env.stderr.write(`${line}\n`);
}

/** While it goes on: that a server is gone. */
function tellTrouble(event: Event, args: Arguments, env: CliEnvironment): void {
  if (args.verbose === true || (event.kind !== 'channel' && event.kind !== 'stream')) return;
  const { text, tone } = eventLine(event);
  if (tone === 'bad') env.stderr.write(`${text}\n`);
}

/** As it happens, where others do; else at the end. */
function tellFinding(event: Extract<Event, { kind: 'finding' }>, args: Arguments, env: CliEnvironment): void {
  if (args.output === 'ndjson') env.stdout.write(jsonText(eventJson(event), true));
  else if (args.watch === true) env.stderr.write(`${eventLine(event).text}\n`);
}

function tellEnd(fetch: Fetch, end: Ending, args: Arguments, env: CliEnvironment): void {
  const say = (lines: readonly string[]): void => {
    for (const line of lines) env.stderr.write(`${line}\n`);
  };
  if (fetch.state === 'failed' || args.quiet !== true) say(fetch.failures.map(failureLine));
  say(fetch.passedOver.map((why) => `a message was passed over: ${visibleShort(why)}`));
  if (end !== 'interrupted' && fetch.state === 'timed out')
    say(missingLines(fetch, args.timeout as number | undefined));
}

function isFailing(found: { rejected: boolean; reported: boolean }, failing: ReadonlySet<string>): boolean {
  return (found.rejected && failing.has('NACKED')) || (found.reported && failing.has('RECEIVED_ERROR'));
}

function exitCode(fetch: Fetch, end: Ending, isFinding: boolean): ExitCode {
  if (end === 'interrupted') return EXIT.interrupted;
  if (fetch.state === 'failed') return EXIT.unavailable;
  if (fetch.state === 'timed out') return EXIT.timedOut;
  return isFinding ? EXIT.findings : EXIT.ok;
}
