/** The acts of `demo`, in their order; each is also the name of its scenario. */
export const DEMO_STEP_NAMES = [
  'healthy',
  'wrong-name',
  'rejected-update',
  'permission-error',
  'fallback',
  'wrong-order',
  'check',
] as const;

export type DemoStepName = (typeof DEMO_STEP_NAMES)[number];
