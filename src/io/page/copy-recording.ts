import { effectiveBootstrap } from '../../bootstrap/effective.js';
import { engineSetup } from '../../engine/recording/engine-setup.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { feedRecording } from '../../inspect/feed-recording.js';
import { recordTo } from '../recorder.js';
import { recordingFile } from '../recording-lines.js';
import { MemoryRecording } from './memory-recording.js';

/** Copies a recording into memory, up to the first damage and without secrets. */
export async function copyRecording(
  path: string,
  header: RecordingHeader,
): Promise<{ header: RecordingHeader; recording: MemoryRecording }> {
  const recording = new MemoryRecording();
  const redacted = withoutSecrets(header);
  let end = header.start;
  const recorder = await recordTo(
    () => recording,
    { header: redacted, redacts: header.secrets === 'kept' },
    { clock: { now: () => end } },
    () => {},
  );
  const file = recordingFile(path, () => recording.ready());
  const fed = await feedRecording({ file, header, until: undefined }, { input: recorder.record, end: () => {} });
  end = fed.end;
  recorder.end(fed.remark ?? 'closed');
  return { header: redacted, recording };
}

function withoutSecrets(header: RecordingHeader): RecordingHeader {
  if (header.secrets === 'redacted') return header;
  const setup = engineSetup(header);
  // A bootstrap that cannot be read is reported when the recording is replayed.
  const bootstrap = 'failure' in setup ? {} : effectiveBootstrap(setup.bootstrap, false);
  return { ...header, bootstrap, secrets: 'redacted' };
}
