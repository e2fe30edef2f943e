/** Likely causes of a failed connection, by the messages of Node and OpenSSL; the first match applies. */
const HINTS: [RegExp, string][] = [
  [/certificate has expired/i, "the server's certificate has expired"],
  [/certificate is not yet valid/i, "the server's certificate is not valid yet: check the clocks"],
  [
    /is not in the cert's (list|altnames)|does not match certificate's altnames/i,
    "the server's certificate does not contain the dialled name",
  ],
  [
    /unable to (verify|get)|self.signed certificate|certificate signature failure/i,
    "the server's certificate is signed by a CA that is not trusted here: set ca_certificate_file",
  ],
  [
    /alert certificate required|alert handshake failure|peer did not return a certificate/i,
    'the server requires a client certificate: set certificate_file and private_key_file',
  ],
  [/alert unknown ca|alert bad certificate/i, 'the server rejects the client certificate'],
  [
    /wrong version number|packet length too long/i,
    'the server does not speak TLS on this port: use insecure credentials or --plaintext',
  ],
  [/ECONNREFUSED/, 'nothing listens there: check the address, and that the server is running'],
  [/ENOTFOUND|EAI_AGAIN|Name resolution failed/i, 'the host name cannot be resolved'],
  [/ETIMEDOUT|Failed to connect before the deadline/i, 'no response from there: check the address and the firewalls'],
  [/Protocol error/i, 'the server does not speak HTTP/2: check that this is the gRPC port'],
  [
    /ECONNRESET|socket hang up|Connection dropped|Last error: Failed to connect/i,
    'the peer closed the connection: check that it speaks gRPC on this port, and whether it uses TLS',
  ],
];

/** Returns the likely cause of a failed connection; undefined if it is not known. */
export function connectionHint(reason: string): string | undefined {
  return HINTS.find(([pattern]) => pattern.test(reason))?.[1];
}
