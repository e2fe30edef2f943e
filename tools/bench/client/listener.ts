/** The listener that both clients follow. In its own file, so that a client does not load the code that builds it. */
export const LISTENER = 'bench';
