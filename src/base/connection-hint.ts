/** What a failed connection most likely means, by words that Node and OpenSSL use; the first that fits. */
const HINTS: [RegExp, string][] = [
  [/certificate has expired/i, "the server's certificate has expired"],
  [/certificate is not yet valid/i, "the server's certificate is not valid yet: check the clocks"],
  [
    /is not in the cert's (list|altnames)|does not match certificate's altnames/i,
    "the server's certificate is for other names than the one dialled",
  ],
  [
    /unable to (verify|get)|self.signed certificate|certificate signature failure/i,
    "the server's certificate is signed by a CA that is not trusted here: name it in ca_certificate_file",
  ],
  [
    /alert certificate required|alert handshake failure|peer did not return a certificate/i,
    'the server wants a client certificate: set certificate_file and private_key_file',
  ],
  [/alert unknown ca|alert bad certificate/i, 'the server does not accept the client certificate'],
  [
    /wrong version number|packet length too long/i,
    'the server does not speak TLS on this port: are insecure credentials meant, or --plaintext?',
  ],
  [/ECONNREFUSED/, 'nothing listens there: is it running, and is the address right?'],
  [/ENOTFOUND|EAI_AGAIN|Name resolution failed/i, 'the host name cannot be found'],
  [/ETIMEDOUT|Failed to connect before the deadline/i, 'nothing answers there: a firewall, or a wrong address'],
  [/Protocol error/i, 'it does not speak HTTP/2: is this the port for gRPC?'],
  [
    /ECONNRESET|socket hang up|Connection dropped|Last error: Failed to connect/i,
    'the peer closed the connection: does it speak gRPC on this port, and with TLS?',
  ],
];

/** One sentence on why a connection failed, or nothing where it would be a guess. */
export function connectionHint(reason: string): string | undefined {
  return HINTS.find(([pattern]) => pattern.test(reason))?.[1];
}
