import { formatsOf } from '../../view/formats.js';
import { argument, command, type Input } from '../command.js';
import { choice } from '../option.js';

const declared = {
  arguments: {
    what: argument.optional(
      'Kind of file: bootstrap, expectations, scenario, contexts, resources, LDS, RDS, CDS, EDS, …, or a message name or type URL of the xDS API; without one, the list',
      { completes: 'schema' },
    ),
  },
  options: {
    output: choice('Output format (default: json; of the list: table)', formatsOf('schema', 'schemas'), { alias: 'o' }),
  },
  examples: {
    '$0 schema': 'Which schemas there are',
    '$0 schema resources > resources.schema.json': 'Any file that validate reads',
    '$0 schema cluster > cluster.schema.json': 'Clusters',
    '$0 schema envoy.config.core.v3.Node': 'Any other message of the API',
  },
};
export type SchemaInput = Input<typeof declared>;

export const schemaCommand = command(declared, async () => (await import('../run/schema.js')).schema);
