import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PUBLISHED = 'node_modules/@grpc/grpc-js-xds/deps';

interface ProtoSource {
  path: string;
  text: string;
}

/** The project's own .proto files. */
export function ownProtoFiles(root: string): ProtoSource[] {
  return read(join(root, 'proto'));
}

/**
 * The published v3 API in the grpc-js-xds package. Omits annotations (that package's validate.proto is older than its
 * API, and no decoder needs them), the v2 API, and all of googleapis except errors and CEL expressions.
 */
export function publishedProtoFiles(root: string): ProtoSource[] {
  const deps = join(root, PUBLISHED);
  const envoy = read(join(deps, 'envoy-api')).filter(
    (f) => !/\/annotations\/|\/v[12](alpha\d*|beta\d*)?[/.]|\/envoy\/type\/(matcher\/)?[a-z_]+\.proto$/.test(f.path),
  );
  const xds = read(join(deps, 'xds')).filter((f) => !/\/annotations\//.test(f.path));
  const google = read(join(deps, 'googleapis')).filter((f) =>
    /\/google\/(rpc\/(status|code|error_details)\.proto|api\/expr\/v1alpha1\/)/.test(f.path),
  );
  return [...envoy, ...xds, ...google];
}

function read(folder: string): ProtoSource[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.proto'))
    .sort()
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));
}
