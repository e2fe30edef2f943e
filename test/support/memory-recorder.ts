import { headerLine, RecordingEncoder } from '../../src/engine/recording/encoder.js';
import { recordingHeader } from '../../src/engine/recording/header.js';
import type { LiveSource, RecordingFile } from '../../src/inspect/source.js';
import type { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { textRecording } from './text-recording.js';

/** Records a session in memory. */
export function memoryRecorder({ client, ports }: LiveSource) {
  const { bootstrap, origin: source, environment } = client;
  const start = ports.clock.now();
  const session = { bootstrap, source, environment, tearGraceMs: undefined, start, keepsSecrets: false };
  const header = recordingHeader(session, '1.2.3');
  const encoder = new RecordingEncoder(header, {});
  const lines = [headerLine(header)];
  return {
    record: (...[input, at]: Parameters<RecordingEncoder['input']>) => void lines.push(encoder.input(input, at)),
    close: () => {},
    file: (clock: VirtualClock): RecordingFile => {
      const whole = [...lines, encoder.end('closed', clock.now())].map((line) => line.trimEnd());
      return textRecording(whole);
    },
  };
}
