import { execFileSync } from 'node:child_process';
import type { Component, Sbom } from '../build/sbom.ts';
import type { NodeVersion } from '../nodes/node-versions.ts';

/** Adds Node, and the libraries that Node itself contains, to the list of the package. */
export function withNode(sbom: Sbom, { version, path }: NodeVersion): Sbom {
  const printed = execFileSync(path, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' });
  const node = nodeComponent(version, JSON.parse(printed) as Record<string, string>);
  const ref = sbom.metadata.component['bom-ref'];
  const dependencies = sbom.dependencies.map((one) =>
    one.ref === ref ? { ...one, dependsOn: [...one.dependsOn, node['bom-ref'] as string] } : one,
  );
  return { ...sbom, components: [...sbom.components, node], dependencies };
}

function nodeComponent(version: string, versions: Readonly<Record<string, string>>): Component {
  const libraries = Object.entries(versions).filter(([name]) => !NOT_LIBRARIES.has(name));
  return {
    type: 'platform',
    'bom-ref': `node@${version}`,
    name: 'node',
    version,
    licenses: [{ license: { id: 'MIT' } }],
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${version}`,
    components: libraries.map(([name, one]) => ({ type: 'library', name, version: one })),
  };
}

/** Numbers of interfaces and of data, and Node itself. */
const NOT_LIBRARIES: ReadonlySet<string> = new Set(['node', 'modules', 'napi', 'cldr', 'tz', 'unicode']);
