import { normalizedRange } from './ip-address.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';

/** grpc-js-xds has no limit and would not finish a comparison of so many combinations. */
const MAX_COMBINATIONS = 100_000;

/**
 * Returns the number of duplicates in the matches of a filter chain, and adds them to those seen. Each combination of the
 * conditions is a match.
 */
export function countDuplicates(match: ProtobufJsMessage, seen: Set<string>): number {
  const common = [
    match.message('destination_port')?.number('value'),
    match.enumName('source_type'),
    match.text('transport_protocol'),
  ];
  const lists = [
    rangesOf(match.messages('prefix_ranges')),
    rangesOf(match.messages('source_prefix_ranges')),
    match.numbers('source_ports'),
    match.texts('server_names'),
    match.texts('application_protocols'),
  ];
  let duplicates = 0;
  for (const combination of combinations(lists)) {
    const key = JSON.stringify([...common, ...combination]);
    if (seen.has(key)) duplicates++;
    seen.add(key);
  }
  return duplicates;
}

function rangesOf(ranges: readonly ProtobufJsMessage[]): string[] {
  return ranges.map((range) =>
    normalizedRange(range.text('address_prefix'), range.message('prefix_len')?.number('value') ?? 0),
  );
}

type Condition = string | number | undefined;

/** The combinations of one element of each list; an empty list has the element `undefined`. */
function combinations(lists: readonly (readonly Condition[])[]): Condition[][] {
  let found: Condition[][] = [[]];
  for (const list of lists) {
    const elements = list.length === 0 ? [undefined] : list;
    found = found
      .slice(0, Math.ceil(MAX_COMBINATIONS / elements.length))
      .flatMap((begin) => elements.map((element) => [...begin, element]));
  }
  return found;
}
