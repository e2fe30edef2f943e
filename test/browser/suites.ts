export interface Suite {
  /** Its file is <name>.browser.ts. */
  name: string;
  /** Whether CI runs it. */
  isQuick: boolean;
}

export const SUITES: readonly Suite[] = [
  { name: 'page-file', isQuick: true },
  { name: 'selected-time', isQuick: true },
  { name: 'timeline', isQuick: true },
  { name: 'rpc', isQuick: true },
  { name: 'panes', isQuick: true },
  { name: 'diff-page', isQuick: true },
  { name: 'what-if', isQuick: false },
  { name: 'hostile', isQuick: true },
  { name: 'keyboard', isQuick: false },
  { name: 'looks', isQuick: false },
];
