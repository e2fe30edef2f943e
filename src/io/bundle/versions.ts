import { release } from 'node:os';
import { type Preset, RELEASES } from '../../bootstrap/preset-names.js';

/** The versions that a bug report needs: `versions.json` in a support bundle. */
export interface Versions {
  schema: 'xds-inspect/versions/v1';
  'xds-inspect': string;
  /** The preset of the session. */
  as: Preset;
  /** The releases that the presets reproduce. */
  reproduces: string[];
  node: string;
  v8: string;
  openssl: string;
  platform: string;
  /** The release of the operating system. */
  release: string;
  arch: string;
}

export function versionsOf(version: string, as: Preset): Versions {
  const { node, v8, openssl } = process.versions;
  return {
    schema: 'xds-inspect/versions/v1',
    'xds-inspect': version,
    as,
    reproduces: Object.values(RELEASES).filter((one) => one !== undefined),
    node,
    v8,
    openssl,
    platform: process.platform,
    release: release(),
    arch: process.arch,
  };
}
