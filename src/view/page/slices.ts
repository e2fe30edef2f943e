/** The longest time without a turn of the event loop. */
const SLICE_MS = 50;

/** Long work calls the returned function often: every 50 ms it lets the browser draw and handle input, and returns true. */
export function slices(): () => Promise<boolean> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return false;
    await new Promise((resolve) => setTimeout(resolve, 0));
    began = performance.now();
    return true;
  };
}
