import { CallCredentials, type ChannelCredentials, credentials, experimental, Metadata } from '@grpc/grpc-js';
import type { CallCreds, ChannelCreds, TlsFiles } from '../bootstrap/bootstrap.js';
import { withoutFileGuard } from './file-guard.js';
import { MAX_SETTINGS_BYTES, readRegularFile } from './input-file.js';

/** Creates the channel credentials that a bootstrap names. Throws the file system error of an unreadable file. */
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

/** With a CA file, files are reloaded when they change. */
function tlsCredentials(files: TlsFiles): ChannelCredentials {
  const { certificate, privateKey, caCertificate, refreshIntervalMs } = files;
  const identity = certificate && privateKey ? { certificateFile: certificate, privateKeyFile: privateKey } : {};
  if (!caCertificate) {
    if (!certificate || !privateKey) return credentials.createSsl();
    return credentials.createSsl(null, read(privateKey), read(certificate));
  }
  for (const path of [caCertificate, ...Object.values(identity)]) read(path);
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

/** Reads the token for every stream, so that a renewed token is used. */
export function tokenFromFile(path: string): CallCredentials {
  return CallCredentials.createFromMetadataGenerator((_options, done) => {
    let token: string;
    try {
      token = read(path).toString().trim();
    } catch (error) {
      return done(new Error(`the token in ${path} cannot be read: ${(error as Error).message}`));
    }
    done(null, bearer(token));
  });
}

function read(path: string): Buffer {
  return withoutFileGuard(() => readRegularFile(path, MAX_SETTINGS_BYTES));
}

/** An access token from Application Default Credentials. The library for it is loaded on use. */
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
