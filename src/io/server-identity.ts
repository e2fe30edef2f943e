import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** Node lists only the IP addresses of a certificate if the server is dialed by an IP address. */
export function identityProblem(host: string, certificate: PeerCertificate): Error | undefined {
  const error = checkServerIdentity(host, certificate);
  const names = certificate.subjectaltname;
  if (error === undefined || names === undefined) return error;
  error.message = `Hostname/IP does not match certificate's altnames: Host: ${host}. is not in the cert's altnames: ${names}`;
  return error;
}
