/** Durations in messages, and phases of an RPC that a message names only if they took a millisecond. */
const UNSTABLE: readonly (readonly [RegExp, string])[] = [
  [/(Deadline exceeded after )\d+\.\d+s/, '$1{seconds}'],
  [/,(?:name resolution|metadata filters|LB pick|time to current attempt start): \d+\.\d+s/g, ''],
];

/** A message of grpc-js without the parts that differ in each run. */
export function stableMessage(message: string): string {
  return UNSTABLE.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), message);
}
