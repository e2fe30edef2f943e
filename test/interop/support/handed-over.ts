/** From `npm run interop` to the suites: environment variables. */

/** How each peer that was built is started, as JSON. */
export const COMMANDS_VARIABLE = 'XDS_INSPECT_INTEROP_PEERS';
/** The file where figures are collected. */
export const SEEN_VARIABLE = 'XDS_INSPECT_INTEROP_SEEN';
