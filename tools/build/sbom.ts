import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { type Provenance, readProvenance } from '../api/provenance.ts';
import { type BundledPackage, bundledPackages } from './bundled-packages.ts';

/** A software bill of materials: CycloneDX 1.6. Without a time and a serial number, so that equal builds write equal files. */
export interface Sbom {
  $schema: string;
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  version: number;
  metadata: { lifecycles: { phase: string }[]; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export interface Component {
  type: 'application' | 'library' | 'platform' | 'data';
  'bom-ref'?: string;
  group?: string;
  name: string;
  version: string;
  description?: string;
  hashes?: { alg: 'SHA-512'; content: string }[];
  licenses?: ({ license: { id: string } } | { expression: string })[];
  cpe?: string;
  purl?: string;
  externalReferences?: { type: 'website'; url: string }[];
  components?: Component[];
}

interface Lock {
  packages: Readonly<Record<string, { integrity?: string }>>;
}

/** Writes dist/sbom.cdx.json: what is in the published package, besides the code of this project. */
export function writeSbom(root: string, metafiles: readonly Metafile[]): void {
  const read = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
  const own = read<BundledPackage['manifest'] & { description: string }>('package.json');
  const packages = bundledPackages(root, metafiles);
  const sbom = sbomOf(own, packages, read<Lock>('package-lock.json'), readProvenance(root));
  writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
}

export function sbomOf(
  own: BundledPackage['manifest'] & { description: string },
  packages: readonly BundledPackage[],
  lock: Lock,
  api: Provenance,
): Sbom {
  const component = { ...packageComponent(own), type: 'application' as const, description: own.description };
  const components = new Map<string, Component>([[api.package, apiComponent(api)]]);
  const dependencies = new Map<string, Set<string>>();
  for (const { folder, manifest } of packages) {
    const ref = refOf(manifest);
    components.set(ref, { ...packageComponent(manifest), ...hashes(lock.packages[folder]?.integrity) });
    // A version that is installed in two folders is one component.
    const known = dependencies.get(ref) ?? new Set();
    dependencies.set(ref, new Set([...known, ...bundledDependencies(folder, manifest, packages)]));
  }
  const all = [...components.values()];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component },
    components: all,
    dependencies: [
      { ref: refOf(own), dependsOn: all.map((one) => one['bom-ref'] as string) },
      ...[...dependencies].map(([ref, others]) => ({ ref, dependsOn: [...others].sort() })),
    ],
  };
}

function refOf({ name, version }: { name: string; version: string }): string {
  return `${name}@${version}`;
}

function packageComponent(manifest: BundledPackage['manifest']): Component {
  const { name, version, license, homepage } = manifest;
  const [, group, base = name] = /^(@[^/]+)\/(.*)$/.exec(name) ?? [];
  return {
    type: 'library',
    'bom-ref': refOf(manifest),
    ...(group !== undefined && { group }),
    name: base,
    version,
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(homepage !== undefined && { externalReferences: [{ type: 'website', url: homepage }] }),
  };
}

/** The hash of the package's tarball in the registry. */
function hashes(integrity: string | undefined): Pick<Component, 'hashes'> {
  const base64 = /^sha512-(\S+)$/.exec(integrity ?? '')?.[1];
  if (base64 === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] };
}

/** The packages that Node finds for the dependencies of a package, as far as they are in the bundle. */
function bundledDependencies(
  folder: string,
  { dependencies = {} }: BundledPackage['manifest'],
  packages: readonly BundledPackage[],
): string[] {
  return Object.keys(dependencies).flatMap((name) => {
    for (let from = folder; ; from = from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0))) {
      const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
      const found = packages.find((one) => one.folder === place);
      if (found !== undefined) return [refOf(found.manifest)];
      if (from === '') return [];
    }
  });
}

/** The catalogue of the xDS API and its messages are generated from the descriptors of this package. */
function apiComponent({ package: name, version, license, licenses }: Provenance): Component {
  return {
    type: 'data',
    'bom-ref': refOf({ name, version }),
    name,
    version,
    description: `Descriptors of the xDS API, from ${Object.keys(licenses).join(', ')}`,
    licenses: [{ license: { id: license } }],
    purl: `pkg:pypi/${name}@${version}`,
  };
}
