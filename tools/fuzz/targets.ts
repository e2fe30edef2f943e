import { engineTarget } from './engine/engine-target.js';
import { bootstrapTarget, expectationTarget, resourceFileTarget } from './files/document-targets.js';
import { recordingTarget } from './files/recording-target.js';
import { scenarioTarget } from './files/scenario-target.js';
import { userTypesTarget } from './files/user-types-target.js';
import { csdsTarget } from './messages/csds-target.js';
import { messageTarget } from './messages/message-target.js';
import { clientTarget } from './sockets/client-target.js';
import { serverTarget } from './sockets/server-target.js';
import type { FuzzTarget } from './target.js';

/** All targets. Each is created when it runs. */
export const TARGETS: readonly (() => FuzzTarget)[] = [
  engineTarget,
  messageTarget,
  bootstrapTarget,
  scenarioTarget,
  expectationTarget,
  recordingTarget,
  csdsTarget,
  resourceFileTarget,
  userTypesTarget,
  clientTarget,
  serverTarget,
];
