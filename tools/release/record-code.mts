import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodePack, nodeBuild } from '../../src/io/code-pack.ts';
import { recordCode } from '../build/code-pack.ts';

// Writes each module of the command line to a folder, with the code that V8 has compiled from it. The build of Node that is in
// the executable runs this.
const output = process.argv[2] as string;
const temporary = mkdtempSync(join(tmpdir(), 'xds-inspect-release-'));
try {
  const path = join(temporary, 'code.pack');
  await recordCode(join(import.meta.dirname, '../..'), path);
  const pack = CodePack.open(path, nodeBuild());
  for (const name of pack?.names ?? []) {
    const { source, compiled } = pack?.read(name) ?? { source: '', compiled: new Uint8Array() };
    writeFileSync(join(output, name), source);
    if (compiled.length > 0) writeFileSync(join(output, `${name}.code`), compiled);
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
