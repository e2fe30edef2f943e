import { PRESETS } from '../../bootstrap/presets.js';
import { type Preset, readSwitches } from '../../bootstrap/switches.js';
import type { ShownEntry } from '../../csds/client-config.js';
import type { ShownClient } from '../../csds/client-status.js';
import { Fetch, type FetchRequest, UnaskableNames } from '../../engine/get/fetch.js';
import { engineOptions } from '../../engine/options.js';
import type { RecordedFetch } from '../../engine/recording/header.js';
import { Replay } from '../../engine/replay.js';
import { Session } from '../../engine/session.js';
import { GrpcTransport } from '../../io/grpc-transport.js';
import { systemDns } from '../../io/system-dns.js';
import { resourceType } from '../../proto/find-resource-type.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import type { Printing } from '../../view/get.js';
import { visible, visibleShort } from '../../view/visible-text.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { connectBootstrap } from './connect-bootstrap.js';
import { GetReport } from './get-report.js';
import { Progress } from './progress.js';
import { type Recording, recordedSetting } from './recorded-session.js';
import { startRecorder } from './recorder.js';
import { serveState } from './serve-state.js';
import { type Ending, waitFor } from './settling.js';
import { surroundingsOf } from './surroundings.js';
import { catalogueFor } from './user-types.js';

const FOR_EVER_MS = 2 ** 31 - 1;
/** As gRPC waits for one resource; only for the progress line. */
const USUAL_MS = PRESETS.spec.policies.resourceTimerMs;

/** `get`: what came is printed however it ends. */
export async function get(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  checkFlags(args);
  const failing = readFailOn(args);
  const catalogue = await catalogueFor(args, env);
  const type = resourceType(args.type as string, catalogue);
  if ('problem' in type) throw new Failure(EXIT.usage, type.problem);
  const printing: Printing = { type, catalogue, showSecrets: args.showSecrets === true };
  const recording = args.recording as Recording | undefined;
  if (recording !== undefined) {
    const fetch = recordedFetch(recording);
    const report = await GetReport.of(fetch, printing, args, env);
    await recording.play(new Replay(fetch, (event) => report.observe(event)));
    return await report.finish('timed out', failing);
  }
  if (type.remark !== undefined && args.quiet !== true) env.stderr.write(`${visible(type.remark)}\n`);
  const { fetch, session, report, close } = await connect(printing, args, env);
  session.dispatch({ kind: 'tick' });
  const end = await wait(fetch, args, env);
  close();
  return await report.finish(end, failing);
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

function requested(typeUrl: string, args: Arguments): FetchRequest {
  return {
    typeUrl,
    names: (args.names as string[] | undefined) ?? [],
    ignoresAuthorities: args.server !== undefined,
    nack: args.nack as string | undefined,
    follows: args.watch === true,
    timeoutMs: args.timeout as number | undefined,
  };
}

function recordedFetch({ header }: Recording): Fetch {
  const { nack, timeoutMs, ...rest } = header.fetch as RecordedFetch;
  const request = { ...rest, nack: nack ?? undefined, timeoutMs: timeoutMs ?? undefined };
  return makeFetch(request, recordedSetting(header).options, EXIT.badInput);
}

function makeFetch(request: FetchRequest, options: ReturnType<typeof engineOptions>, unaskable: ExitCode): Fetch {
  try {
    return new Fetch({ ...options, ...request });
  } catch (error) {
    if (error instanceof UnaskableNames) throw new Failure(unaskable, error.problems.join('\n'));
    throw error;
  }
}

interface Connected {
  fetch: Fetch;
  /** Begins with its first input. */
  session: Session;
  report: GetReport;
  close(): void;
}

async function connect(printing: Printing, args: Arguments, env: CliEnvironment): Promise<Connected> {
  const preset = args.as as Preset;
  const found = await connectBootstrap(args, readSwitches(env.variables, preset), env);
  const surroundings = surroundingsOf(args, env);
  const request = requested(printing.type.typeUrl, args);
  const options = engineOptions(found.bootstrap, surroundings);
  const fetch = makeFetch(request, options, EXIT.findings);
  const report = await GetReport.of(fetch, printing, args, env);
  const recorder = await startRecorder({ ...found, surroundings, fetch: request }, args, env);
  const session = new Session(fetch, {
    clock: env.clock,
    transport: new GrpcTransport({ maxResponseBytes: PRESETS[preset].policies.maxResponseBytes }),
    dns: systemDns,
    log: { append: (event) => report.observe(event) },
    ...(recorder && { record: recorder.record }),
  });
  const { node } = options;
  const shown = await withoutSecrets(args);
  // It is no channel's and no server's, so that it has no client_scope (A71).
  const client = (): ShownClient => ({ scope: '', node, entries: fetch.entries.map(shown) });
  const close = await serveState(
    () => [client()],
    args,
    env,
    () => {
      session.close();
      recorder?.close();
    },
  );
  return { fetch, session, report, close };
}

/** Others see what is printed here. */
async function withoutSecrets({ csdsPort, showSecrets }: Arguments): Promise<(entry: ShownEntry) => ShownEntry> {
  if (csdsPort === undefined || showSecrets === true) return (entry) => entry;
  const { Redactor } = await import('../../proto/redactor.js');
  const redactor = new Redactor(xdsCatalogue);
  return (entry) => {
    const { typeUrl, bytes } = entry;
    return { ...entry, bytes: bytes && redactor.redact(typeNameOf(typeUrl), bytes) };
  };
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
