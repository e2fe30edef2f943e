/** The acts of `demo`, in their order; each is also the name of its scenario. */
export const ACTS = [
  'healthy',
  'wrong-name',
  'rejected-update',
  'permission-error',
  'fallback',
  'wrong-order',
  'check',
] as const;

export type ActName = (typeof ACTS)[number];
