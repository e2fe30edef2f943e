import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

export interface Matcher {
  label: string;
  /** `=`, `!=`, `=~` or `!~`. */
  operator: string;
  value: string;
}

interface Selector {
  metric: string;
  matchers: Matcher[];
}

/** The parts of a PromQL expression that name metrics and labels. */
export interface Promql {
  selectors: Selector[];
  /** The labels in by, without, on, ignoring and group_left. */
  groupings: string[];
  /** The text of the first part that is not PromQL. */
  error: string | undefined;
}

export function readPromql(text: string): Promql {
  const found: Promql = { selectors: [], groupings: [], error: undefined };
  const textOf = ({ from, to }: { from: number; to: number }): string => text.slice(from, to);
  parser.parse(text).iterate({
    enter: ({ type, node, name }) => {
      if (type.isError) found.error ??= text.slice(node.from);
      else if (name === 'VectorSelector') found.selectors.push(readSelector(node, textOf));
      else if (name === 'GroupingLabels') found.groupings.push(...node.getChildren('LabelName').map(textOf));
    },
  });
  return found;
}

function readSelector(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Selector {
  const part = (parent: SyntaxNode, name: string): string => {
    const child = parent.getChild(name);
    return child === null ? '' : textOf(child);
  };
  const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => ({
    label: part(matcher, 'LabelName'),
    operator: part(matcher, 'MatchOp'),
    value: JSON.parse(part(matcher, 'StringLiteral')) as string,
  }));
  return { metric: part(node, 'Identifier'), matchers };
}
