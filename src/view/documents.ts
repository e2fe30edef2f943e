import type { LocatedProblem } from '../base/document.js';
import type { ServerBehaviour } from '../bootstrap/behaviour.js';
import type { BootstrapReport } from '../bootstrap/report.js';
import type { Preset } from '../bootstrap/switches.js';
import type { Resolution } from '../bootstrap/target.js';
import type { Event } from '../core/event.js';
import type { FinishedChange } from '../inspect/changes/finished-changes.js';
import type { NewFile } from '../inspect/expect/new-file.js';
import type { CheckReport } from '../inspect/expect/report.js';
import type { FindingView } from '../inspect/finding-view.js';
import type { FilesReport } from '../inspect/validate/files.js';
import type { Cause, Verdict, VerdictWord } from '../inspect/verdict/verdict.js';
import type { PastVerdict } from '../inspect/verdict-history.js';
import type { ConditionView } from '../inspect/wait/waiting.js';
import type { JsonSchema } from '../proto/json-schema/json-schema.js';
import type { PlaneEvent } from '../scenario/plane-io.js';
import type { CompareDocument } from './compare.js';
import type { CompletionModel } from './completion.js';
import type { ConfigView } from './config.js';
import type { ContextsDocument } from './contexts.js';
import type { DiffDocument } from './diff/diff-summary.js';
import type { Explanation } from './explain.js';
import type { FleetChange } from './fleet/fleet-changes.js';
import type { FleetDocument } from './fleet/fleet-document.js';
import type { GetView, ResourceView } from './get.js';
import type { RemoteChange } from './remote-changes.js';
import type { DiffPage } from './render/diff/html.js';
import type { ReportPage } from './render/page-html.js';
import type { ReplaySummary } from './replay-summary.js';
import type { ReportDocument } from './report.js';
import type { SarifLog } from './sarif/sarif-log.js';
import type { SchemasDocument } from './schema/schema-list.js';
import type { ScopeStatus } from './status.js';
import type { ScopeTears } from './tears.js';
import type { Timeline } from './timeline/timeline.js';
import type { WhatIfDocument } from './what-if.js';

export interface StatusDocument {
  schema: 'xds-inspect/status/v1';
  /** Only for a recording that is shown without a view. */
  summary?: ReplaySummary;
  as: Preset;
  /** The file or variable that the bootstrap was read from. */
  bootstrap?: string;
  /** The node id that the control plane sees. */
  node?: string | null;
  /** The worst of all targets. */
  verdict: VerdictWord;
  cause: Cause | null;
  scopes: ScopeStatus[];
  /** Processes that could not be read completely. */
  unread?: { address: string; error: string }[];
}

export interface ConfigDocument {
  schema: 'xds-inspect/config/v1';
  as: Preset;
  configs: ConfigView[];
  findings: FindingView[];
}

/** The load-balancing configuration that gRPC's resolver and its cds policies generate. */
export interface ServiceConfigDocument {
  target: string;
  serviceConfig: unknown;
  cds: Record<string, unknown>;
}

export interface TearsDocument {
  schema: 'xds-inspect/tears/v1';
  as: Preset;
  observedMs: number;
  /** Only a longer tear is a finding. */
  maxTearMs: number;
  scopes: ScopeTears[];
  findings: FindingView[];
}

export interface ExplainDocument {
  as: Preset;
  explanations: Explanation[];
  findings: FindingView[];
}

/** A target with its verdict. */
type TargetView = Pick<Verdict, 'target' | 'verdict' | 'cause'>;

export type WaitOutcome = 'met' | 'timed-out' | 'unreachable' | 'interrupted';

export interface WaitDocument {
  schema: 'xds-inspect/wait/v1';
  as: Preset;
  outcome: WaitOutcome;
  waitedMs: number;
  /** The worst of all targets. */
  verdict: VerdictWord;
  cause: Cause | null;
  /** The worst first. */
  targets: TargetView[];
  conditions: ConditionView[];
}

/** A server as `bootstrap resolve` shows it. */
export interface ServerDescription {
  uri: string;
  priority: number;
  creds: string;
  callCreds: string[];
  features: string[];
  behaviour: ServerBehaviour;
}

export type ResolveDocument = { schema: 'xds-inspect/resolve/v1'; as: Preset; source: string; target: string } & (
  | { error: { code: string; message: string } }
  | ({ error: null; authority: string; servers: ServerDescription[] } & Omit<Resolution, 'servers' | 'xdsAuthority'>)
);

/** A bootstrap file with its problems. */
export interface BootstrapDocument {
  bytes: Uint8Array;
  report: BootstrapReport;
  /** Whether the text names the file, because those of other files precede or follow it. */
  isOneOfSeveral?: boolean;
}

export interface ValidateDocument {
  as: Preset;
  report: FilesReport;
}

/** Every document that a command prints, by kind. */
export interface Documents {
  report: ReportDocument;
  timeline: Timeline;
  /** A session for a browser. */
  page: ReportPage;
  status: StatusDocument;
  /** A ClientStatusResponse in proto JSON. */
  'client-status': unknown;
  /** Many clients, compared with each other. */
  fleet: FleetDocument;
  config: ConfigDocument;
  'service-config': ServiceConfigDocument[];
  tears: TearsDocument;
  explain: ExplainDocument;
  wait: WaitDocument;
  check: CheckReport;
  compare: CompareDocument;
  /** The differences of two sets of resources. */
  diff: DiffDocument;
  /** The same for a browser. */
  'diff-page': DiffPage;
  'what-if': WhatIfDocument;
  /** The verdicts, errors and tears of a recorded session. */
  'replay-summary': ReplaySummary;
  resources: GetView;
  resolve: ResolveDocument;
  bootstrap: BootstrapDocument;
  validate: ValidateDocument;
  /** The findings of a command for code scanning. */
  sarif: SarifLog;
  /** Problems of an input file. */
  problems: { source: string; problems: readonly LocatedProblem[] };
  /** Protocol findings. */
  findings: readonly FindingView[];
  /** A new expectations file. */
  expectations: NewFile;
  /** Named control planes. */
  contexts: ContextsDocument;
  /** The JSON Schemas that exist. */
  schemas: SchemasDocument;
  /** A JSON Schema. */
  schema: JsonSchema;
  /** For the completion script of a shell. */
  completion: CompletionModel;
  /** A part of the manual, in Markdown. */
  manual: string;
}

/** A change of a resource that `get` subscribes to. Its printed forms are created on demand. */
export interface ChangeItem {
  resource(): ResourceView | undefined;
  event(): object;
}

/** A text that `demo` prints around the views of its steps. */
export type DemoPart =
  | { kind: 'opening'; count: number; timerMs: number; hasPauses: boolean }
  /** `place` among all steps; undefined if only this step runs. */
  | { kind: 'step'; title: string; text: string; place?: { number: number; of: number } }
  /** A line of the application's log. */
  | { kind: 'log'; method: string; status: { code: string; message: string } | null }
  /** A file that the next command reads. In a single executable, no other program can read it. */
  | { kind: 'file'; path: string; text: string; inExecutable: boolean }
  | { kind: 'command'; line: string }
  | { kind: 'afterword'; text: string }
  /** `program`: how to run the tool again; `example`: the name of a step. */
  | { kind: 'closing'; program: string; example: string };

/** A text that `demo` prints between the events of a scenario. */
export type DemoScenarioPart =
  | { kind: 'title'; title: string; addresses: ReadonlyMap<string, string> }
  | { kind: 'said'; text: string }
  /** `path` of the scenario; `program`: how to run the tool again. */
  | { kind: 'next'; path: string; program: string };

/** Output that is printed item by item, by kind. */
export interface Streams {
  events: Event;
  lines: Event;
  /** Changes of a verdict. */
  verdicts: PastVerdict;
  /** Changes of a configuration that are over. */
  'finished-changes': FinishedChange;
  plane: PlaneEvent;
  demoScenario: DemoScenarioPart;
  demo: DemoPart;
  'resource-changes': ChangeItem;
  /** A change in another process, and when this process noticed it. */
  changes: { at: number; change: RemoteChange };
  /** A change in a fleet, and when this process noticed it. */
  'fleet-changes': { at: number; change: FleetChange };
}
