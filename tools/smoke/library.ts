import type { Result } from './checks.ts';
import { run } from './program.ts';

const USE =
  "if (typeof connect !== 'function' || !RESOURCE_TYPES.LDS) throw new Error('it lacks exports'); console.log('ok');";

/** Loads the library as an ES module and as CommonJS. */
export async function checkLibrary(node: string, home: string): Promise<Result[]> {
  const ways = {
    'is imported by its names': [
      '--input-type=module',
      `import { connect, RESOURCE_TYPES } from 'xds-inspect'; ${USE}`,
    ],
    'is required': ['--input-type=commonjs', `const { connect, RESOURCE_TYPES } = require('xds-inspect'); ${USE}`],
  };
  const program = { command: [node] as const, folder: home, variables: {} };
  return await Promise.all(
    Object.entries(ways).map(async ([title, [type = '', source = '']]) => {
      const { code, stdout, stderr } = await run(program, [type, '--eval', source]);
      return { title, failure: code === 0 && stdout === 'ok\n' ? undefined : stderr };
    }),
  );
}
