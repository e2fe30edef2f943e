import { effect, signal } from '@preact/signals';
import { theme } from './store.js';

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(prefersDark.matches);
/** While the page is printed, all panes are drawn, in light colours. */
export const isPrinting = signal(false);

/** Longer lists are cut on paper. */
export const MAX_PRINTED = 300;

function isDark(): boolean {
  return !isPrinting.value && (theme.value === undefined ? isSystemDark.value : theme.value === 'dark');
}

export function toggleTheme(): void {
  theme.value = isDark() ? 'light' : 'dark';
}

/** Keeps the colours of the page as the user or the system prefers. */
export function startTheme(): void {
  prefersDark.addEventListener('change', () => {
    isSystemDark.value = prefersDark.matches;
  });
  addEventListener('beforeprint', () => {
    isPrinting.value = true;
  });
  addEventListener('afterprint', () => {
    isPrinting.value = false;
  });
  effect(() => {
    document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  });
}
