/** The package of gRPC with the xDS API that a release of gRPC ships. */
export const PACKAGE = 'xds-protos';

export interface Release {
  version: string;
  /** The file name, hash and upload time of its wheel. */
  wheel: string;
  sha256: string;
  published: string;
  license: string;
}

interface Listing {
  info: { version: string; license_expression: string | null };
  urls: { filename: string; digests: { sha256: string }; upload_time_iso_8601: string }[];
}

/** Asks PyPI for a version of the package; without one, for the newest. Throws if PyPI does not answer. */
export async function findRelease(version?: string): Promise<Release> {
  const address = `https://pypi.org/pypi/${[PACKAGE, ...(version === undefined ? [] : [version])].join('/')}/json`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: HTTP ${response.status}`);
  const { info, urls } = (await response.json()) as Listing;
  const file = urls.find(({ filename }) => filename.endsWith('.whl'));
  if (file === undefined) throw new Error(`${PACKAGE} ${info.version} has no wheel`);
  return {
    version: info.version,
    wheel: file.filename,
    sha256: file.digests.sha256,
    published: file.upload_time_iso_8601.slice(0, 10),
    license: info.license_expression ?? '',
  };
}
