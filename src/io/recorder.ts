import { UsageError } from '../base/failure.js';
import { InputProblem } from '../base/input-problem.js';
import type { FetchRequest } from '../engine/get/fetch.js';
import { headerLine, RecordingEncoder } from '../engine/recording/encoder.js';
import { recordingHeader } from '../engine/recording/header.js';
import type { ClientSetup, Recorder } from '../inspect/source.js';
import { errorText } from '../view/visible-text.js';
import { asBuffer } from './byte-codec.js';
import type { CliEnvironment } from './environment.js';
import { type Disk, RecordingFile } from './recording-file.js';

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
  { bootstrap, origin: source, environment }: ClientSetup,
  { record: path, showSecrets: keepsSecrets, tearGrace: tearGraceMs, fetch }: RecordInput,
  env: RecorderEnvironment,
  disk?: Disk,
): Promise<Recorder> {
  let hasEnded = false;
  const stop = (why: string): void => {
    hasEnded = true;
    env.stderr.write(errorText(`recording to ${path} stopped: ${why}`));
  };
  const file = createFile(path, stop, disk);
  const redact = keepsSecrets ? undefined : await redaction();
  const header = recordingHeader(
    { bootstrap, source, environment, tearGraceMs, start: env.clock.now(), keepsSecrets, fetch },
    env.version,
  );
  const encoder = new RecordingEncoder(header, {
    base64: (bytes) => asBuffer(bytes).toString('base64'),
    ...(redact && { redact }),
  });
  file.write(headerLine(header));
  // A file without a header could not be replayed after a crash.
  file.flush();
  const end = (reason: string): void => {
    forget();
    if (!hasEnded) file.write(encoder.end(reason, env.clock.now()));
    file.close();
  };
  const forget = env.atExit(() => end('closed'));
  return {
    record: (input, at) => {
      if (hasEnded) return;
      const line = encoder.input(input, at);
      if (file.hasRoomFor(line.length + LAST_LINE_BYTES)) return file.write(line);
      end('the file is full');
      stop('the file has reached its maximum size');
    },
    close: () => end('closed'),
  };
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
async function redaction(): Promise<(message: Uint8Array) => Uint8Array> {
  const redactor = (await import('../resources/xds-redactor.js')).xdsRedactor();
  return (message) => redactor.redact('envoy.service.discovery.v3.DiscoveryResponse', message);
}
