import type { Input } from '../../core/input.js';
import { headerLine, RecordingEncoder } from '../../engine/recording/encoder.js';
import { type RecordedSession, recordingHeader } from '../../engine/recording/header.js';
import { type Disk, RecordingFile } from '../../io/recording-file.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

export interface Recorder {
  record(input: Input, at: number): void;
  close(): void;
}

/** Room for the last line. */
const LAST_LINE_BYTES = 1000;

/** Writes what `--record` asks for, if it is given. A session goes on when its recording cannot. */
export async function startRecorder(
  { bootstrap, source, surroundings, fetch }: Pick<RecordedSession, 'bootstrap' | 'source' | 'surroundings' | 'fetch'>,
  args: Arguments,
  env: CliEnvironment,
  disk?: Disk,
): Promise<Recorder | undefined> {
  const path = args.record as string | undefined;
  if (path === undefined) return undefined;
  let isOver = false;
  const stop = (why: string): void => {
    isOver = true;
    env.stderr.write(`recording to ${path} ends: ${why}\n`);
  };
  const file = createFile(path, stop, disk);
  const keepsSecrets = args.showSecrets === true;
  const tearGraceMs = args.tearGrace as number | undefined;
  const redact = keepsSecrets ? undefined : await redaction();
  const header = recordingHeader(
    { bootstrap, source, surroundings, tearGraceMs, start: env.clock.now(), keepsSecrets, fetch },
    env.version,
  );
  const encoder = new RecordingEncoder(header, { base64, ...(redact && { redact }) });
  file.write(headerLine(header));
  const end = (reason: string): void => {
    if (!isOver) file.write(encoder.end(reason, env.clock.now()));
    file.close();
  };
  return {
    record: (input, at) => {
      if (isOver) return;
      const line = encoder.input(input, at);
      if (file.hasRoomFor(line.length + LAST_LINE_BYTES)) return file.write(line);
      end('the file is full');
      stop('it has reached its greatest length');
    },
    close: () => end('closed'),
  };
}

function createFile(path: string, onFailure: (what: string) => void, disk?: Disk): RecordingFile {
  if (path === '-' || path === '') throw new Failure(EXIT.usage, '--record takes the name of a file');
  try {
    return new RecordingFile(path, onFailure, disk);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new Failure(EXIT.usage, `--record ${path}: it exists, and no recording is overwritten`);
    throw new Failure(EXIT.badInput, `--record ${path}: it cannot be written: ${message}`);
  }
}

/** Loaded on use: to know secrets from the rest takes a description of the whole API. */
async function redaction(): Promise<(message: Uint8Array) => Uint8Array> {
  const [{ Redactor }, { xdsCatalogue }] = await Promise.all([
    import('../../proto/redactor.js'),
    import('../../proto/json/catalogue.js'),
  ]);
  const redactor = new Redactor(xdsCatalogue);
  return (message) => redactor.redact('envoy.service.discovery.v3.DiscoveryResponse', message);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
