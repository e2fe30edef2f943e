import { UsageError } from '../base/failure.js';
import { InputProblem } from '../base/input-problem.js';
import { redactText } from '../base/secret-name.js';
import type { Input } from '../core/input.js';
import type { FetchRequest } from '../engine/get/fetch.js';
import type { Clock } from '../engine/ports.js';
import { headerLine, RecordingEncoder } from '../engine/recording/encoder.js';
import { type RecordingHeader, recordingHeader } from '../engine/recording/header.js';
import type { ClientSetup, Recorder } from '../inspect/source.js';
import { errorText } from '../view/visible-text.js';
import { asBuffer } from './byte-codec.js';
import type { CliEnvironment } from './environment.js';
import { type Disk, RecordingFile, type RecordingSink } from './recording-file.js';

/** Space that is reserved for the last line. */
const LAST_LINE_BYTES = 1000;

/** The settings of a recording. */
export interface RecordInput {
  record: string;
  showSecrets: boolean;
  tearGrace?: number | undefined;
  fetch?: FetchRequest | undefined;
}

export type RecorderEnvironment = Pick<CliEnvironment, 'clock' | 'version' | 'stderr' | 'atExit'>;

/** Writes a recording. The session continues if writing fails. The file is completed however the process ends. */
export async function startRecorder(
  client: ClientSetup,
  input: RecordInput,
  env: RecorderEnvironment,
  disk?: Disk,
): Promise<Recorder> {
  const { record: path } = input;
  const onStop = (why: string): void => void env.stderr.write(errorText(`recording to ${path} stopped: ${why}`));
  const encoded = { header: headerOf(client, input, env), redacts: !input.showSecrets };
  const recorder = await recordTo((stop) => createFile(path, stop, disk), encoded, env, onStop);
  const forget = env.atExit(() => recorder.close());
  return {
    record: recorder.record,
    close: () => {
      forget();
      recorder.close();
    },
  };
}

/** One recorder for several recordings of the same session; undefined if there are none. */
export function joinRecorders(all: readonly (Recorder | undefined)[]): Recorder | undefined {
  const recorders = all.filter((one) => one !== undefined);
  if (recorders.length <= 1) return recorders[0];
  return {
    record: (input, at) => {
      for (const recorder of recorders) recorder.record(input, at);
    },
    close: () => {
      for (const recorder of recorders) recorder.close();
    },
  };
}

/** The first line of a recording that starts now. */
export function headerOf(
  { bootstrap, origin: source, environment }: ClientSetup,
  { showSecrets: keepsSecrets, tearGrace: tearGraceMs, fetch }: Omit<RecordInput, 'record'>,
  { clock, version }: Pick<RecorderEnvironment, 'clock' | 'version'>,
): RecordingHeader {
  return recordingHeader(
    { bootstrap, source, environment, tearGraceMs, start: clock.now(), keepsSecrets, fetch },
    version,
  );
}

/** The first line of a recording, and whether the recorder removes the secrets of its messages. */
export interface Encoded {
  header: RecordingHeader;
  redacts: boolean;
}

/** Encodes a session. `create` gets a function that stops the recorder when the sink fails; `onStop` gets the reason. */
export async function recordTo(
  create: (stop: (why: string) => void) => RecordingSink,
  { header, redacts }: Encoded,
  { clock }: { clock: Pick<Clock, 'now'> },
  onStop: (why: string) => void,
): Promise<Recorder & { end(reason: string): void }> {
  let hasEnded = false;
  const stop = (why: string): void => {
    hasEnded = true;
    onStop(why);
  };
  const sink = create(stop);
  const redact = redacts ? await redaction() : undefined;
  const encoder = new RecordingEncoder(header, {
    base64: (bytes) => asBuffer(bytes).toString('base64'),
    ...(redact && { redact }),
  });
  sink.write(headerLine(header));
  // A file without a header could not be replayed after a crash.
  sink.flush();
  const end = (reason: string): void => {
    if (!hasEnded) sink.write(encoder.end(reason, clock.now()));
    hasEnded = true;
    sink.close();
  };
  return {
    record: (input, at) => {
      if (hasEnded) return;
      const line = encoder.input(redacts ? withoutTextSecrets(input) : input, at);
      if (sink.hasRoomFor(line.length + LAST_LINE_BYTES)) return sink.write(line);
      end('the file is full');
      stop('the file has reached its maximum size');
    },
    close: () => end('closed'),
    end,
  };
}

/** A server or a library may quote a URI with a password in an error. */
function withoutTextSecrets(input: Input): Input {
  if (input.kind === 'ended') {
    return { ...input, status: { ...input.status, message: redactText(input.status.message) } };
  }
  return input.kind === 'connectivity' ? { ...input, reason: redactText(input.reason) } : input;
}

function createFile(path: string, onFailure: (what: string) => void, disk?: Disk): RecordingFile {
  if (path === '-' || path === '') throw new UsageError('--record requires a file name');
  try {
    return new RecordingFile(path, onFailure, disk);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsageError(`--record ${path}: the file exists, and recordings are not overwritten`);
    throw new InputProblem(`--record ${path}: cannot be written: ${message}`);
  }
}

/** Loaded on use: redaction needs the descriptors of the whole xDS API. */
export async function redaction(): Promise<(message: Uint8Array) => Uint8Array> {
  const redactor = (await import('../resources/xds-redactor.js')).xdsRedactor();
  return (message) => redactor.redact('envoy.service.discovery.v3.DiscoveryResponse', message);
}
