/** What both clients follow. In a file of its own, for a client should load nothing of how it is made. */
export const LISTENER = 'bench';
