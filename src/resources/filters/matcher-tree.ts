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
import type { Validation } from '../validation.js';
import { decodeConfig } from './http-filter.js';

/** A tree that maps the headers of an RPC to an action (the unified matcher of xDS). */
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

/** Reads a matcher. `readAction` reads its actions. */
export function readMatcherTree(
  matcher: Matcher | undefined,
  validation: Validation,
  readAction: (extension: Extension, validation: Validation) => unknown,
): MatcherTree | undefined {
  return matcher === undefined
    ? validation.addError('field not set')
    : new MatcherReader(validation, readAction).matcher(matcher, 0);
}

class MatcherReader {
  readonly #validation: Validation;
  readonly #readAction: (extension: Extension, validation: Validation) => unknown;

  constructor(validation: Validation, readAction: (extension: Extension, validation: Validation) => unknown) {
    this.#validation = validation;
    this.#readAction = readAction;
  }

  matcher({ matcherType: type, onNoMatch }: Matcher, depth: number): MatcherTree | undefined {
    const validation = this.#validation;
    if (depth === MAX_DEPTH) return validation.addError('matcher tree exceeds max recursion depth');
    const noMatch = onNoMatch && validation.field('on_no_match', () => this.#onMatch(onNoMatch, depth));
    if (type?.kind === 'matcherList') {
      return { onNoMatch: noMatch, body: validation.field('matcher_list', () => this.#list(type.value, depth)) };
    }
    if (type?.kind === 'matcherTree') {
      return { onNoMatch: noMatch, body: validation.field('matcher_tree', () => this.#tree(type.value, depth)) };
    }
    return validation.addError('no matcher_list or matcher_tree specified.');
  }

  #list({ matchers }: MatcherMatcherList, depth: number): MatcherTree['body'] {
    const validation = this.#validation;
    if (matchers.length === 0) return validation.addError('matcher_list is empty');
    return {
      kind: 'list',
      matchers: matchers.map(({ onMatch, predicate }, i) =>
        validation.item('matchers', i, () => ({
          onMatch: validation.field('on_match', () => this.#onMatch(onMatch, depth)),
          predicate: validation.field('predicate', () => this.#predicate(predicate)),
        })),
      ),
    };
  }

  #tree({ input, treeType: type }: MatcherMatcherTree, depth: number): MatcherTree['body'] {
    const validation = this.#validation;
    const header = validation.field('input', () => this.#input(input));
    if (type === undefined || type.kind === 'customMatch')
      return validation.addError('no known match tree type specified');
    const kind = type.kind === 'exactMatchMap' ? 'exact' : 'prefix';
    return { kind, header, map: validation.field(`${kind}_match_map`, () => this.#map(type.value, depth)) };
  }

  #map({ map }: MatcherMatcherTreeMatchMap, depth: number): ReadonlyMap<string, OnMatch | undefined> {
    const validation = this.#validation;
    if (map.size === 0) validation.addError('map is empty');
    // C-core's paths do not contain the keys.
    const read = [...map].map(
      ([key, value]) =>
        [key, validation.segment('.on_match', ['map', key], () => this.#onMatch(value, depth))] satisfies [
          string,
          unknown,
        ],
    );
    return new Map(read);
  }

  #onMatch(message: MatcherOnMatch | undefined, depth: number): OnMatch | undefined {
    const validation = this.#validation;
    if (message === undefined) return validation.addError('field not present');
    const { keepMatching, onMatch } = message;
    if (keepMatching) validation.addFieldError('keep_matching', 'not supported in this component');
    if (onMatch?.kind === 'action') {
      const action = validation.segment('.action', ['action', 'typed_config'], () =>
        withExtension(onMatch.value.typedConfig, validation, (extension) => this.#readAction(extension, validation)),
      );
      return { kind: 'action', action };
    }
    if (onMatch?.kind === 'matcher') {
      return { kind: 'matcher', matcher: validation.field('matcher', () => this.matcher(onMatch.value, depth + 1)) };
    }
    return validation.addError('One of action or matcher should be present');
  }

  #predicate(message: MatcherMatcherListPredicate | undefined): Predicate | undefined {
    const validation = this.#validation;
    if (message === undefined) return validation.addError('field not present');
    const type = message.matchType;
    switch (type?.kind) {
      case 'singlePredicate':
        return validation.field('single_predicate', () => this.#single(type.value));
      case 'orMatcher':
        return validation.field('or_matcher', () => ({ kind: 'or', predicates: this.#predicates(type.value) }));
      case 'andMatcher':
        return validation.field('and_matcher', () => ({ kind: 'and', predicates: this.#predicates(type.value) }));
      case 'notMatcher':
        return validation.field('not_matcher', () => ({ kind: 'not', predicate: this.#predicate(type.value) }));
      default:
        return validation.addError('unsupported predicate type');
    }
  }

  #predicates({ predicate }: MatcherMatcherListPredicatePredicateList): (Predicate | undefined)[] {
    const validation = this.#validation;
    if (predicate.length === 0) validation.addError('predicate_list is empty');
    return predicate.map((one, i) =>
      validation.segment(`.predicate_list[${i}]`, ['predicate', i], () => this.#predicate(one)),
    );
  }

  #single({ matcher, input }: MatcherMatcherListPredicateSinglePredicate): Predicate {
    const validation = this.#validation;
    const value = matcher?.kind === 'valueMatch' ? matcher.value : undefined;
    return {
      kind: 'single',
      matcher: validation.field('value_match', () => readStringMatcher(value, validation)),
      header: validation.field('input', () => this.#input(input)),
    };
  }

  /** Returns the name of the header to match. C-core supports no other input. */
  #input(input: TypedExtensionConfig | undefined): string | undefined {
    const validation = this.#validation;
    if (input === undefined) return validation.addError('field not present');
    return withExtension(input.typedConfig, validation, (extension) => {
      if (extension.type !== HttpRequestHeaderMatchInput.typeName) {
        return validation.addError(`Unsupported Input type:${extension.type}`);
      }
      // The typo is C-core's.
      if (extension.value.kind === 'json')
        return validation.addError('Unsuppored input format (Json found instead of string)');
      const problem = 'Failed to parse HttpRequestHeaderMatchInput';
      return decodeConfig(HttpRequestHeaderMatchInput, extension, problem, validation)?.headerName;
    });
  }
}
