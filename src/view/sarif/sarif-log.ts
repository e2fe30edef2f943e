import type { Severity, SourceLocation } from '../../base/finding.js';
import { xxh64 } from '../../base/xxh64.js';
import { visible } from '../visible-text.js';
import type { Analysis, AnalysisResult, AnalysisRule } from './analysis.js';

/** The facts about a run that its results do not contain. */
export interface SarifRun {
  version: string;
  exitCode: number;
  /** Whether the analysis is complete. A run that has results can be successful. */
  isComplete: boolean;
  /** The file that a source names; undefined for stdin and variables. */
  artifact(source: string): SarifArtifact | undefined;
  /** The manual page of a rule, in Markdown. */
  page(rule: string): string | undefined;
}

/** A file as a percent-encoded URI, relative to the current directory if it is below. */
export interface SarifArtifact {
  uri: string;
  uriBaseId?: 'SRCROOT';
}

/** A SARIF 2.1.0 log with one run. */
export interface SarifLog {
  $schema: string;
  version: '2.1.0';
  runs: readonly [object];
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export function sarifLog({ command, results, notifications }: Analysis, run: SarifRun): SarifLog {
  const { version, exitCode, isComplete } = run;
  const rules = [...new Map(results.map(({ rule }) => [rule.id, rule])).values()];
  const indexes = new Map(rules.map(({ id }, i) => [id, i]));
  const fingerprints = new Fingerprints();
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'xds-inspect',
            version,
            ...(/^\d+\.\d+\.\d+/.test(version) && { semanticVersion: version }),
            rules: rules.map((rule) => ruleObject(rule, run)),
          },
        },
        automationDetails: { id: `xds-inspect/${command}/` },
        invocations: [
          {
            exitCode,
            executionSuccessful: isComplete,
            ...(notifications.length > 0 && {
              toolExecutionNotifications: notifications.map(({ id, severity, message, place }) => ({
                descriptor: { id },
                level: severity,
                message: messageObject(message),
                ...locationsObject(place === null ? [] : [location(place, run)]),
              })),
            }),
          },
        ],
        // No URI: it would name a folder of this machine.
        originalUriBaseIds: { SRCROOT: { description: { text: 'The directory in which xds-inspect ran' } } },
        columnKind: 'unicodeCodePoints',
        results: results.map((result) => ({
          ruleId: result.rule.id,
          ruleIndex: indexes.get(result.rule.id),
          level: result.severity,
          message: messageObject(result.message + positionText(result.place, run)),
          ...resultLocations(result, run),
          partialFingerprints: { 'xdsInspect/v1': fingerprints.next(result, run) },
        })),
      },
    ],
  };
}

function ruleObject({ id, severity, title, what, advice }: AnalysisRule, { page }: SarifRun): object {
  const text = `${what} ${advice}`;
  return {
    id,
    name: pascalCase(title),
    shortDescription: { text: title },
    fullDescription: { text: what },
    help: { text, markdown: page(id) ?? text },
    defaultConfiguration: { level: severity satisfies Severity },
    properties: { tags: ['xds', 'grpc'] },
  };
}

function pascalCase(title: string): string {
  return (title.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Viewers read `[text](target)` as a link. Text from a file or from a control plane must not make one. */
function messageObject(text: string): { text: string } {
  const shown = visible(text);
  return { text: shown.includes('](') ? shown.replace(/[\\[\]]/g, '\\$&') : shown };
}

/** The position in a text that is not a file. */
function positionText({ source, line, column }: SourceLocation, { artifact }: SarifRun): string {
  return artifact(source) === undefined ? ` (line ${line}, column ${column})` : '';
}

function resultLocations({ place, logical, related }: AnalysisResult, run: SarifRun): object {
  const logicalLocations = logical.map(({ name, kind }, i) => ({
    name,
    kind,
    fullyQualifiedName: logical
      .slice(0, i + 1)
      .map((one) => one.name)
      .join('.'),
  }));
  const main = { ...location(place, run), ...(logicalLocations.length > 0 && { logicalLocations }) };
  const others = related.flatMap((one) =>
    run.artifact(one.place.source) === undefined
      ? []
      : [{ ...location(one.place, run), message: messageObject(one.message) }],
  );
  return {
    ...locationsObject([main]),
    ...(others.length > 0 && { relatedLocations: others.map((one, id) => ({ id, ...one })) }),
  };
}

function locationsObject(locations: readonly object[]): object {
  const filled = locations.filter((one) => Object.keys(one).length > 0);
  return filled.length === 0 ? {} : { locations: filled };
}

function location({ source, line, column }: SourceLocation, { artifact }: SarifRun): object {
  const artifactLocation = artifact(source);
  if (artifactLocation === undefined) return {};
  return { physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } } };
}

const ENCODER = new TextEncoder();

/** Hashes of what identifies a result, without its line. Equal ones are numbered, so that each is unique. */
class Fingerprints {
  readonly #counts = new Map<string, number>();

  next({ identity, place }: AnalysisResult, { artifact }: SarifRun): string {
    const text = JSON.stringify([artifact(place.source)?.uri ?? '', ...identity]);
    const count = (this.#counts.get(text) ?? 0) + 1;
    this.#counts.set(text, count);
    return `${xxh64(ENCODER.encode(text)).toString(16).padStart(16, '0')}:${count}`;
  }
}
