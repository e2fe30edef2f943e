/** Counts the RPCs that use each cluster (A31). */
export class HeldClusters {
  readonly #counts = new Map<string, number>();

  /** The clusters that RPCs use, with the number of RPCs. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Returns true for the first RPC. */
  hold(cluster: string): boolean {
    const count = this.#counts.get(cluster) ?? 0;
    this.#counts.set(cluster, count + 1);
    return count === 0;
  }

  /** Returns true for the last RPC. */
  release(cluster: string): boolean {
    const count = this.#counts.get(cluster) ?? 0;
    if (count <= 1) return this.#counts.delete(cluster);
    this.#counts.set(cluster, count - 1);
    return false;
  }
}
