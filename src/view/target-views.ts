import type { TargetResult } from '../inspect/inspection-result.js';

/** A view of each target; one of another process begins with its address. */
export function targetViews<V extends { target: string }>(
  targets: readonly TargetResult[],
  viewOf: (target: TargetResult) => V,
): V[] {
  return targets.map((target) => {
    const { address } = target;
    return address === undefined ? viewOf(target) : { address, ...viewOf(target) };
  });
}

/** For people, who see no more of a view than its target. */
export function withAddress<V extends { address?: string; target: string }>(view: V): V {
  return view.address === undefined ? view : { ...view, target: `${view.address} / ${view.target}` };
}
