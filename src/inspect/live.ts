import { readSwitches } from '../bootstrap/switches.js';
import type { Event } from '../core/event.js';
import { Engine } from '../engine/engine.js';
import { engineOptions } from '../engine/options.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { Session } from '../engine/session.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { EngineView } from './engine-view.js';
import type { ClientInspection, InspectOptions } from './inspection.js';
import { LiveRun } from './live-run.js';
import { longestTimer } from './longest-timer.js';
import type { ProbeResult } from './probe.js';
import type { LiveSource } from './source.js';
import { TimerEnds } from './timer-ends.js';

/** A live inspection whose session accepts more inputs while it runs: the library adds targets and watches at any time. */
export interface LiveInspection extends ClientInspection {
  session: Session;
}

/** Whether the client has no listener for a target. */
function lacksListener({ channels, entry }: ScopeSnapshot): boolean {
  return channels.some(({ listener }) => entry(RESOURCE_TYPES.LDS, listener)?.resource === undefined);
}

export function openLive(
  { client, ports, inputs, recorder }: LiveSource,
  { suppress, tearGraceMs }: InspectOptions,
): LiveInspection {
  const { bootstrap, origin, environment } = client;
  const { preset: as, variables } = environment;
  const options = { ...engineOptions(bootstrap, environment), ...(tearGraceMs !== undefined && { tearGraceMs }) };
  const engine = new Engine(options);
  const view = new EngineView(engine, bootstrap.node?.id, suppress);
  const timers = new TimerEnds();
  const known: ProbeResult['listed'] = [];
  let changedAt = ports.clock.now();
  const append = (event: Event): void => {
    timers.observe(event);
    const isRepeated = view.publish(event);
    // A repeated event does not count as a change once its rate is known.
    if (!isRepeated || engine.hasUnknownRate) changedAt = ports.clock.now();
  };
  const run = new LiveRun(engine, ports, inputs, append, recorder);
  return {
    as,
    bootstrap,
    origin,
    node: options.node,
    context: options.context,
    targets: inputs.filter((input) => input.kind === 'follow'),
    longestTimerMs: longestTimer(bootstrap, readSwitches(variables, as), options.policies),
    events: view.events,
    session: run.session,
    start: () => run.start(),
    now: () => ports.clock.now(),
    startedAt: () => run.startedAt,
    changedAt: () => changedAt,
    nextTimerEnd: (open) => timers.next(open, ports.clock.now()),
    snapshot: () => engine.snapshot(),
    findings: () => view.findings(),
    errors: () => view.errors.errors(),
    droppedErrors: () => view.errors.dropped,
    verdict: () => view.verdict(ports.clock.now()),
    probe: async (wait) => {
      const scopes = engine.snapshot();
      // Verdicts predict every route, and only targets without a listener are probed.
      if (!scopes.some(lacksListener)) return 'met';
      const { probeListeners } = await import('./probe.js');
      const verdicts = view.verdict(ports.clock.now());
      const { ending, listed } = await probeListeners({ client, ports }, scopes, verdicts, wait);
      view.learnListeners(listed);
      known.push(...listed);
      return ending;
    },
    listed: () => known,
    until: (condition, wait) => run.until(view.events, condition, wait),
    close: () => run.close(),
  };
}
