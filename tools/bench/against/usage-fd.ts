/** Where a measured process writes the CPU time that it has used, in milliseconds: on SIGUSR2 and at its end. */
export const USAGE_FD = 3;
