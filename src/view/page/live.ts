import type { PageData } from '../page-data.js';

/** A placeholder: receives the steps of a live session. */
export async function startLive({ title }: PageData): Promise<void> {
  throw new Error(`${title} is a live session`);
}
