import type { CacheEntry } from '../core/resource-cache.js';
import { Engine } from '../engine/engine.js';
import { feedRecording } from './feed-recording.js';
import { recordedSetup } from './recorded.js';
import type { RecordingSource } from './source.js';

/** A version of a resource that the client used or rejected. */
export interface RecordedVersion {
  typeUrl: string;
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
  const engine = new Engine({ ...options, tracksChanges: true });
  /** The bytes that were passed on last. */
  const used = new WeakMap<CacheEntry, Uint8Array>();
  const refused = new WeakMap<CacheEntry, Uint8Array>();
  const observe = (entry: CacheEntry): void => {
    const { typeUrl, bytes, rejected } = entry;
    if (bytes !== undefined && used.get(entry) !== bytes) {
      used.set(entry, bytes);
      onVersion({ typeUrl, bytes, isRejected: false });
    }
    if (rejected !== undefined && refused.get(entry) !== rejected) {
      refused.set(entry, rejected);
      onVersion({ typeUrl, bytes: rejected, isRejected: true });
    }
  };
  await feedRecording(
    { ...source, until: undefined },
    {
      input: (input, at) => {
        engine.handle(input, at);
        for (const { changed } of engine.takeChanges().scopes) for (const entry of changed) observe(entry);
      },
      end: () => {},
    },
  );
}
