/** A bootstrap for one server on loopback. */
export function bootstrap(uri: string, node: { id: string; metadata?: object }): string {
  return JSON.stringify({ xds_servers: [{ server_uri: uri, channel_creds: [{ type: 'insecure' }] }], node });
}
