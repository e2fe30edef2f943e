/** Likely causes of a failed TLS handshake, with the flags that help; the first match applies. */
const HINTS: [RegExp, string][] = [
  [
    /unable to (verify|get)|self.signed certificate|certificate signature failure/i,
    'its certificate is signed by a CA that is not trusted here: set the CA with --cacert, or accept any certificate with --insecure',
  ],
  [
    /alert certificate required|alert handshake failure|peer did not return a certificate/i,
    'it requires a client certificate: set --cert and --key',
  ],
];

/** Returns the likely cause of a failed handshake with a peer whose TLS settings are flags; undefined if it is not known. */
export function certificateHint(reason: string): string | undefined {
  return HINTS.find(([pattern]) => pattern.test(reason))?.[1];
}
