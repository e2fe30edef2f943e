import type { TargetResult } from '../inspect/inspection-result.js';

/** A view of each target. The view of a target in another process starts with its address. */
export function targetViews<V extends { target: string }>(
  targets: readonly TargetResult[],
  viewOf: (target: TargetResult) => V,
): V[] {
  return targets.map((target) => {
    const { address, client } = target;
    if (address === undefined) return viewOf(target);
    return { address, ...(client && { client }), ...viewOf(target) };
  });
}

/** Adds the address to the target, for texts that print only the target of a view. */
export function withAddress<V extends { address?: string; target: string }>(view: V): V {
  return view.address === undefined ? view : { ...view, target: `${view.address} / ${view.target}` };
}
