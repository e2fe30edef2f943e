/** Environment variables with which `npm run interop` passes data to the suites. */

/** The command line of each peer, as JSON. */
export const COMMANDS_VARIABLE = 'XDS_INSPECT_INTEROP_PEERS';
/** The file that collects figures. */
export const FIGURES_VARIABLE = 'XDS_INSPECT_INTEROP_SEEN';
