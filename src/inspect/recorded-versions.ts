import type { ResponseEvent } from '../core/event.js';
import { Engine } from '../engine/engine.js';
import { Replay } from '../engine/replay.js';
import { feedRecording } from './feed-recording.js';
import { recordedSetup } from './recorded.js';
import type { RecordingSource } from './source.js';

/** A version of a resource that the client used or rejected. */
export interface RecordedVersion {
  typeUrl: string;
  name: string;
  /** As received, without a wrapper. */
  bytes: Uint8Array;
  isRejected: boolean;
}

/**
 * Replays a recording and passes on every version that was in use or rejected, when it arrives. A version that is sent
 * several times may be passed on several times.
 */
export async function recordedVersions(
  source: Pick<RecordingSource, 'file' | 'header'>,
  onVersion: (version: RecordedVersion) => void,
): Promise<void> {
  const { options } = recordedSetup(source.header);
  const engine = new Engine(options);
  /** The bytes that were passed on last, by client_scope and resource. */
  const used = new Map<string, Uint8Array>();
  const rejectedBytes = new Map<string, Uint8Array>();
  const onResponse = ({ scope, typeUrl, names }: ResponseEvent): void => {
    for (const one of names) {
      const entry = engine.entry(scope, typeUrl, one);
      if (entry === undefined) continue;
      const { name, bytes, rejected } = entry;
      const key = `${scope}\n${typeUrl}\n${name}`;
      if (bytes !== undefined && used.get(key) !== bytes) {
        used.set(key, bytes);
        onVersion({ typeUrl, name, bytes, isRejected: false });
      }
      if (rejected !== undefined && rejectedBytes.get(key) !== rejected) {
        rejectedBytes.set(key, rejected);
        onVersion({ typeUrl, name, bytes: rejected, isRejected: true });
      }
    }
  };
  const replay = new Replay(engine, (event) => {
    if (event.kind === 'response') onResponse(event);
  });
  await feedRecording({ ...source, until: undefined }, replay);
}
