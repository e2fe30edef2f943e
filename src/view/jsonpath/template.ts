/** A parsed template of `-o jsonpath=…`, in the dialect of kubectl. */
export type Template = readonly TemplateNode[];

type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'values'; path: Path }
  | { kind: 'range'; path: Path; body: Template };

export interface Path {
  /** `$`: starts at the document. Others start at the current value: that of the range, or the element of a filter. */
  isAbsolute: boolean;
  steps: readonly Step[];
}

export type Step = Selector | { kind: 'union'; members: readonly Selector[] };

export type Selector =
  | { kind: 'child'; name: string; nested: readonly string[] }
  | { kind: 'all' }
  | { kind: 'index'; index: number }
  | { kind: 'slice'; from: number | undefined; to: number | undefined; step: number }
  /** The value and all values in it. */
  | { kind: 'descend' }
  | { kind: 'filter'; filter: Filter };

export type Filter =
  | { kind: 'exists'; path: Path }
  | { kind: 'compare'; operator: Operator; left: Operand; right: Operand };

export type Operand = { kind: 'literal'; value: string | number | boolean } | { kind: 'path'; path: Path };

/** The longest first. */
export const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;

export type Operator = (typeof OPERATORS)[number];
