import type { Plugin } from 'esbuild';

/**
 * The SDK validates what users type into forms that a server requests with a JSON Schema validator (150 kB). This server requests
 * nothing, and reads the arguments of its tools itself.
 */
export const lightModelContextProtocol: Plugin = {
  name: 'light-model-context-protocol',
  setup(builder) {
    builder.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'mcp-shims',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'mcp-shims' }, () => ({
      contents: "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
    }));
  },
};
