import { HttpRequestHeaderMatchInput } from '../../proto/generated/envoy.type.matcher.v3.js';
import type { TypedExtensionConfig } from '../../proto/generated/xds.core.v3.js';
import type {
  Matcher,
  MatcherMatcherList,
  MatcherMatcherListPredicate,
  MatcherMatcherListPredicatePredicateList,
  MatcherMatcherListPredicateSinglePredicate,
  MatcherMatcherTree,
  MatcherMatcherTreeMatchMap,
  MatcherOnMatch,
} from '../../proto/generated/xds.type.matcher.v3.js';
import { type Extension, withExtension } from '../common/extension.js';
import { readStringMatcher, type StringMatcher } from '../common/string-matcher.js';
import type { Judgement } from '../judgement.js';
import { decodeConfig } from './http-filter.js';

/** A tree that leads from the headers of an RPC to an action (xDS's unified matcher). */
export interface MatcherTree {
  onNoMatch: OnMatch | undefined;
  body:
    | { kind: 'list'; matchers: { predicate: Predicate | undefined; onMatch: OnMatch | undefined }[] }
    | { kind: 'exact' | 'prefix'; header: string | undefined; map: ReadonlyMap<string, OnMatch | undefined> }
    | undefined;
}

type OnMatch = { kind: 'matcher'; matcher: MatcherTree | undefined } | { kind: 'action'; action: unknown };

type Predicate =
  | { kind: 'single'; header: string | undefined; matcher: StringMatcher | undefined }
  | { kind: 'and' | 'or'; predicates: (Predicate | undefined)[] }
  | { kind: 'not'; predicate: Predicate | undefined };

const MAX_DEPTH = 16;

/** Reads a matcher whose actions `readAction` understands. */
export function readMatcherTree(
  matcher: Matcher | undefined,
  j: Judgement,
  readAction: (extension: Extension, j: Judgement) => unknown,
): MatcherTree | undefined {
  return matcher === undefined ? j.refuse('field not set') : new MatcherReader(j, readAction).matcher(matcher, 0);
}

class MatcherReader {
  readonly #j: Judgement;
  readonly #readAction: (extension: Extension, j: Judgement) => unknown;

  constructor(j: Judgement, readAction: (extension: Extension, j: Judgement) => unknown) {
    this.#j = j;
    this.#readAction = readAction;
  }

  matcher({ matcherType: type, onNoMatch }: Matcher, depth: number): MatcherTree | undefined {
    const j = this.#j;
    if (depth === MAX_DEPTH) return j.refuse('matcher tree exceeds max recursion depth');
    const otherwise = onNoMatch && j.field('on_no_match', () => this.#onMatch(onNoMatch, depth));
    if (type?.kind === 'matcherList') {
      return { onNoMatch: otherwise, body: j.field('matcher_list', () => this.#list(type.value, depth)) };
    }
    if (type?.kind === 'matcherTree') {
      return { onNoMatch: otherwise, body: j.field('matcher_tree', () => this.#tree(type.value, depth)) };
    }
    return j.refuse('no matcher_list or matcher_tree specified.');
  }

  #list({ matchers }: MatcherMatcherList, depth: number): MatcherTree['body'] {
    const j = this.#j;
    if (matchers.length === 0) return j.refuse('matcher_list is empty');
    return {
      kind: 'list',
      matchers: matchers.map(({ onMatch, predicate }, i) =>
        j.item('matchers', i, () => ({
          onMatch: j.field('on_match', () => this.#onMatch(onMatch, depth)),
          predicate: j.field('predicate', () => this.#predicate(predicate)),
        })),
      ),
    };
  }

  #tree({ input, treeType: type }: MatcherMatcherTree, depth: number): MatcherTree['body'] {
    const j = this.#j;
    const header = j.field('input', () => this.#input(input));
    if (type === undefined || type.kind === 'customMatch') return j.refuse('no known match tree type specified');
    const kind = type.kind === 'exactMatchMap' ? 'exact' : 'prefix';
    return { kind, header, map: j.field(`${kind}_match_map`, () => this.#map(type.value, depth)) };
  }

  #map({ map }: MatcherMatcherTreeMatchMap, depth: number): ReadonlyMap<string, OnMatch | undefined> {
    const j = this.#j;
    if (map.size === 0) j.refuse('map is empty');
    // The keys are not part of C-core's paths.
    const read = [...map].map(
      ([key, value]) =>
        [key, j.segment('.on_match', ['map', key], () => this.#onMatch(value, depth))] satisfies [string, unknown],
    );
    return new Map(read);
  }

  #onMatch(message: MatcherOnMatch | undefined, depth: number): OnMatch | undefined {
    const j = this.#j;
    if (message === undefined) return j.refuse('field not present');
    const { keepMatching, onMatch } = message;
    if (keepMatching) j.refuseField('keep_matching', 'not supported in this component');
    if (onMatch?.kind === 'action') {
      const action = j.segment('.action', ['action', 'typed_config'], () =>
        withExtension(onMatch.value.typedConfig, j, (extension) => this.#readAction(extension, j)),
      );
      return { kind: 'action', action };
    }
    if (onMatch?.kind === 'matcher') {
      return { kind: 'matcher', matcher: j.field('matcher', () => this.matcher(onMatch.value, depth + 1)) };
    }
    return j.refuse('One of action or matcher should be present');
  }

  #predicate(message: MatcherMatcherListPredicate | undefined): Predicate | undefined {
    const j = this.#j;
    if (message === undefined) return j.refuse('field not present');
    const type = message.matchType;
    switch (type?.kind) {
      case 'singlePredicate':
        return j.field('single_predicate', () => this.#single(type.value));
      case 'orMatcher':
        return j.field('or_matcher', () => ({ kind: 'or', predicates: this.#predicates(type.value) }));
      case 'andMatcher':
        return j.field('and_matcher', () => ({ kind: 'and', predicates: this.#predicates(type.value) }));
      case 'notMatcher':
        return j.field('not_matcher', () => ({ kind: 'not', predicate: this.#predicate(type.value) }));
      default:
        return j.refuse('unsupported predicate type');
    }
  }

  #predicates({ predicate }: MatcherMatcherListPredicatePredicateList): (Predicate | undefined)[] {
    const j = this.#j;
    if (predicate.length === 0) j.refuse('predicate_list is empty');
    return predicate.map((one, i) => j.segment(`.predicate_list[${i}]`, ['predicate', i], () => this.#predicate(one)));
  }

  #single({ matcher, input }: MatcherMatcherListPredicateSinglePredicate): Predicate {
    const j = this.#j;
    const value = matcher?.kind === 'valueMatch' ? matcher.value : undefined;
    return {
      kind: 'single',
      matcher: j.field('value_match', () => readStringMatcher(value, j)),
      header: j.field('input', () => this.#input(input)),
    };
  }

  /** The header that is looked at; C-core knows no other input. */
  #input(input: TypedExtensionConfig | undefined): string | undefined {
    const j = this.#j;
    if (input === undefined) return j.refuse('field not present');
    return withExtension(input.typedConfig, j, (extension) => {
      if (extension.type !== HttpRequestHeaderMatchInput.typeName) {
        return j.refuse(`Unsupported Input type:${extension.type}`);
      }
      // The typing error is C-core's.
      if (extension.value.kind === 'json') return j.refuse('Unsuppored input format (Json found instead of string)');
      const problem = 'Failed to parse HttpRequestHeaderMatchInput';
      return decodeConfig(HttpRequestHeaderMatchInput, extension, problem, j)?.headerName;
    });
  }
}
