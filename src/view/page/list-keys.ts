/** The keys of a list: arrows, Page Up and Down, Home and End move; Enter and Space activate. */
export function onListKey(
  length: number,
  current: number,
  move: (index: number) => void,
  activate?: (index: number) => void,
): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = destination(event.key, current, length);
    if (next !== undefined) move(Math.min(length - 1, Math.max(0, next)));
    else if ((event.key === 'Enter' || event.key === ' ') && activate !== undefined) activate(current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

const PAGE = 10;

function destination(key: string, current: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return current + 1;
    case 'ArrowUp':
      return current - 1;
    case 'PageDown':
      return current + PAGE;
    case 'PageUp':
      return current - PAGE;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}
