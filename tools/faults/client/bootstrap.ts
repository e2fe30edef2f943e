/** A bootstrap with one server. */
export function bootstrap(uri: string, creds: object = { type: 'insecure' }): string {
  return JSON.stringify({
    xds_servers: [{ server_uri: uri, channel_creds: [creds] }],
    node: { id: 'faults', locality: {} },
  });
}
