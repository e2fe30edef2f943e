/** The file descriptor to which a measured process writes its CPU time in milliseconds, on SIGUSR2 and when it exits. */
export const USAGE_FD = 3;
