import type { Annotation } from './annotation.ts';

/** The parts of a SARIF 2.1.0 run that are read here. */
interface Run {
  automationDetails?: { id?: string };
  results?: Result[];
}

interface Result {
  ruleId?: string;
  level?: string;
  message?: { text?: string };
  locations?: {
    physicalLocation?: { artifactLocation?: { uri?: string }; region?: { startLine?: number; startColumn?: number } };
  }[];
}

export interface Sarif {
  version: string;
  runs: Run[];
}

/** Reads the output of `-o sarif`; undefined if it is something else, such as the text of a usage error. */
export function readSarif(text: string): Sarif | undefined {
  try {
    const document = JSON.parse(text) as Partial<Sarif> | null;
    return Array.isArray(document?.runs) ? (document as Sarif) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Joins the runs of several commands in one file. Code scanning refuses two runs of a tool with the same category, which is the part
 * of the id before its last slash.
 */
export function joinSarif(parts: readonly { category: string; sarif: Sarif }[], name: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: parts.flatMap(({ category, sarif }) =>
      sarif.runs.map((run, index) => ({
        ...run,
        automationDetails: {
          ...run.automationDetails,
          id: `${name}/${category}${index === 0 ? '' : ` ${index + 1}`}/`,
        },
      })),
    ),
  };
}

const LEVELS: Readonly<Record<string, Annotation['level']>> = { error: 'error', note: 'notice' };

/** The annotations of the results, so that a command with SARIF output needs to run only once. */
export function annotationsOf({ runs }: Sarif): Annotation[] {
  return runs
    .flatMap(({ results = [] }) => results)
    .filter(({ level }) => level !== 'none')
    .map(({ ruleId = 'xds-inspect', level = 'warning', message, locations }) => {
      const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
      return {
        level: LEVELS[level] ?? 'warning',
        title: ruleId,
        message: message?.text ?? '',
        ...(artifactLocation?.uri !== undefined && { file: pathOf(artifactLocation.uri) }),
        ...(region?.startLine !== undefined && { line: region.startLine }),
        ...(region?.startColumn !== undefined && { column: region.startColumn }),
      };
    });
}

function pathOf(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
