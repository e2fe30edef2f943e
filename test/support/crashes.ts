import { afterAll, beforeAll } from 'vitest';

/** Collects uncaught errors while a file's tests run; the function returns those since its last call. */
export function crashes(): () => string[] {
  const caught: string[] = [];
  const note = (error: unknown): void => {
    caught.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  beforeAll(() => {
    process.on('uncaughtException', note);
    process.on('unhandledRejection', note);
  });
  afterAll(() => {
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
  });
  return () => caught.splice(0);
}
