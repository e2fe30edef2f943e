/** The steps of `demo` in order. Each is also the name of its built-in scenario. */
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
