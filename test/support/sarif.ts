import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { ROOT } from './root.js';

const folder = join(ROOT, 'fixtures/sarif');
const schema = readFileSync(join(folder, 'sarif-schema-2.1.0.json'), 'utf8');
const { sha256 } = JSON.parse(readFileSync(join(folder, 'provenance.json'), 'utf8'));
if (createHash('sha256').update(schema).digest('hex') !== sha256) throw new Error('the SARIF schema was changed');

/** The characters of RFC 3986. */
const URI = /^(?:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URI.test(text) && URL.canParse(text),
    // A colon in the first part would make it a scheme.
    'uri-reference': (text: string) => URI.test(text) && (/^file:\/\/\//.test(text) || !/^[^/?#]*:/.test(text)),
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'date-time': /^\d{4}-\d\d-\d\dT/,
  },
});
const validate = ajv.compile(JSON.parse(schema));

interface Text {
  text: string;
  markdown?: string;
}

interface Place {
  physicalLocation: {
    artifactLocation: { uri: string; uriBaseId?: string };
    region: { startLine: number; startColumn: number };
  };
  logicalLocations?: { name: string; kind: string; fullyQualifiedName: string }[];
  message?: Text;
}

export interface SarifResult {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: Text;
  locations?: Place[];
  relatedLocations?: Place[];
  partialFingerprints: Record<string, string>;
}

export interface Run {
  tool: {
    driver: {
      rules: {
        id: string;
        name: string;
        help: Text;
        shortDescription: Text;
        defaultConfiguration: { level: string };
      }[];
    } & Record<string, unknown>;
  };
  automationDetails: { id: string };
  invocations: {
    exitCode: number;
    executionSuccessful: boolean;
    toolExecutionNotifications?: { descriptor: { id: string }; level: string; message: Text; locations?: Place[] }[];
  }[];
  columnKind: string;
  results: SarifResult[];
}

/** Reads a SARIF log with one run, which must match the schema and refer to its own rules. */
export function readSarif(text: string): Run {
  const log = JSON.parse(text) as { runs: [Run] };
  if (!validate(log)) throw new Error(`invalid SARIF: ${JSON.stringify(validate.errors?.slice(0, 5), null, 1)}`);
  const [run] = log.runs;
  for (const { ruleId, ruleIndex } of run.results)
    if (run.tool.driver.rules[ruleIndex]?.id !== ruleId) throw new Error(`rule ${ruleIndex} is not ${ruleId}`);
  const prints = run.results.map(({ partialFingerprints }) => partialFingerprints['xdsInspect/v1']);
  if (new Set(prints).size !== prints.length) throw new Error('two results have the same fingerprint');
  return run;
}
