import { useEffect, useRef, useState } from 'preact/hooks';

export interface BoxSize {
  width: number;
  height: number;
  /** How far its content is scrolled. */
  top: number;
}

/** The size and the scroll position of an element. They change at most once per frame. */
export function useSize<E extends HTMLElement>(): [ref: { current: E | null }, size: BoxSize] {
  const ref = useRef<E>(null);
  const [size, setSize] = useState<BoxSize>({ width: 0, height: 0, top: 0 });
  useEffect(() => {
    const box = ref.current;
    if (box === null) return undefined;
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const next = { width: box.clientWidth, height: box.clientHeight, top: box.scrollTop };
      setSize((old) => (isSame(old, next) ? old : next));
    };
    const request = (): void => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    measure();
    const observer = new ResizeObserver(request);
    observer.observe(box);
    box.addEventListener('scroll', request, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', request);
      cancelAnimationFrame(frame);
    };
  }, []);
  return [ref, size];
}

function isSame(a: BoxSize, b: BoxSize): boolean {
  return a.width === b.width && a.height === b.height && a.top === b.top;
}
