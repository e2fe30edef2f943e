import type { Any } from '../../../src/proto/generated/google.protobuf.js';

/** A number from 0 to below 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Resources with one to three random edits of their bytes: most of them cannot be decoded. */
export function* randomEdits(from: readonly Any[], { seed, count }: { seed: number; count: number }): Generator<Any> {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  for (let made = 0; made < count; made++) {
    const { typeUrl, value } = from[below(from.length)] as Any;
    let bytes: number[] = [...value];
    for (let edits = 1 + below(3); edits > 0; edits--) {
      const at = below(bytes.length);
      const choice = next();
      if (choice < 0.3) bytes[at] = below(256);
      else if (choice < 0.5) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      else if (choice < 0.6) bytes = bytes.slice(0, at);
      else if (choice < 0.8) bytes.splice(at, 1);
      else if (choice < 0.9) bytes.splice(at, 0, below(256));
      else bytes.splice(at, 0, ...bytes.slice(at, at + below(40)));
    }
    yield { typeUrl, value: new Uint8Array(bytes) };
  }
}
