/** The resources of one side of a comparison. */
export interface ResourceSet {
  /** How the user named the side, and what it turned out to be: `xds:///greeter (10.0.0.7:18000)`, `night.xdsrec at 12.5 s`. */
  label: string;
  resources: readonly ComparedResource[];
  /** Sentences on what the set lacks or where it is not exact. */
  notes: readonly string[];
}

export interface ComparedResource {
  typeUrl: string;
  name: string;
  version: string | undefined;
  /** The cache status, if the side knows one (ACKED, NACKED, DOES_NOT_EXIST, …). */
  status: string | undefined;
  /** The serialized resource (the value of its Any), if known: equal bytes need no decoding. */
  bytes: Uint8Array | undefined;
  /**
   * The resource in proto JSON, spelled as `printAny` does, before redaction; undefined if the side only knows name and
   * version. Decodes on each call: a comparison of thousands of resources does not keep them.
   */
  contents(): unknown;
}
