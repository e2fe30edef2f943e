import type { Documents } from './documents.js';

type ToValue<D> = (document: D) => unknown;

/** What `-o json` prints for kinds whose document is not that value. */
const VALUES: { [K in keyof Documents]?: () => Promise<ToValue<Documents[K]>> } = {
  explain: async () => (await import('./render/explain.js')).explainData,
  check: async () => (await import('../inspect/expect/report.js')).checkDocument,
  compare: async () => (await import('./compare.js')).compareData,
  diff: async () => (await import('./diff/diff-data.js')).diffData,
  bootstrap: async () => (await import('./render/bootstrap.js')).bootstrapData,
  validate: async () => {
    const { validateDocument } = await import('./validate.js');
    return ({ report, as }) => validateDocument(report, as);
  },
};

/** The value that `-o json` prints for a document. */
export async function jsonValue<K extends keyof Documents>(kind: K, document: Documents[K]): Promise<unknown> {
  const load: (() => Promise<ToValue<Documents[K]>>) | undefined = VALUES[kind];
  return load === undefined ? document : (await load())(document);
}
