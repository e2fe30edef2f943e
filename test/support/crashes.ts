import { afterAll, beforeAll } from 'vitest';

/** Catches what nobody has caught while a file's tests run; says what that was since it was last asked. */
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
