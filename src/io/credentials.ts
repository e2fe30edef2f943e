import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CallCredentials, type ChannelCredentials, credentials, experimental, Metadata } from '@grpc/grpc-js';
import type { CallCreds, ChannelCreds, TlsFiles } from '../bootstrap/bootstrap.js';

/** Credentials for a channel as a bootstrap asks for them. Throws what the file system says of a file that it needs. */
export function channelCredentials(creds: ChannelCreds, callCreds: readonly CallCreds[]): ChannelCredentials {
  switch (creds.type) {
    case 'insecure':
    case 'fake':
      return credentials.createInsecure();
    case 'tls':
      return withCallCreds(tlsCredentials(creds.files), callCreds);
    case 'google_default':
      return withCallCreds(
        credentials.combineChannelCredentials(credentials.createSsl(), googleCallCredentials()),
        callCreds,
      );
  }
}

function withCallCreds(channel: ChannelCredentials, callCreds: readonly CallCreds[]): ChannelCredentials {
  if (callCreds.length === 0) return channel;
  return credentials.combineChannelCredentials(channel, ...callCreds.map(({ path }) => tokenFromFile(path)));
}

/** Files are read again as they change, unless only the system's roots are used. */
function tlsCredentials(files: TlsFiles): ChannelCredentials {
  const { certificate, privateKey, caCertificate, refreshIntervalMs } = files;
  const identity = certificate && privateKey ? { certificateFile: certificate, privateKeyFile: privateKey } : {};
  if (!caCertificate) {
    if (!certificate || !privateKey) return credentials.createSsl();
    return credentials.createSsl(null, readFileSync(privateKey), readFileSync(certificate));
  }
  for (const path of [caCertificate, ...Object.values(identity)]) readFileSync(path);
  const provider = new experimental.FileWatcherCertificateProvider({
    caCertificateFile: caCertificate,
    refreshIntervalMs: Math.max(refreshIntervalMs, MIN_REFRESH_MS),
    ...identity,
  });
  return experimental.createCertificateProviderChannelCredentials(
    provider,
    'certificateFile' in identity ? provider : null,
  );
}

const MIN_REFRESH_MS = 1000;

/** The token is read anew for every stream, so that a renewed one is used. */
function tokenFromFile(path: string): CallCredentials {
  return CallCredentials.createFromMetadataGenerator((_options, done) => {
    readFile(path, 'utf8').then(
      (token) => done(null, bearer(token.trim())),
      (error: Error) => done(new Error(`the token in ${path} cannot be read: ${error.message}`)),
    );
  });
}

/** An access token by Application Default Credentials; the package that finds them is loaded when one is needed. */
export async function googleToken(): Promise<string> {
  const { GoogleAuth } = await import('google-auth-library');
  const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloud-platform' });
  return (await auth.getAccessToken()) ?? '';
}

function googleCallCredentials(): CallCredentials {
  return CallCredentials.createFromMetadataGenerator((_options, done) => {
    googleToken().then(
      (token) => done(null, bearer(token)),
      (error: Error) => done(new Error(`no Google credentials: ${error.message}`)),
    );
  });
}

function bearer(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}
