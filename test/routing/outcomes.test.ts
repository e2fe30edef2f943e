import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusName } from '../../src/base/status.js';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { isShortType, type ShortType } from '../../src/proto/resource-types.js';
import type { IpAddress } from '../../src/resources/common/ip-address.js';
import { type PossiblePath, possiblePaths } from '../../src/routing/paths.js';
import { predict } from '../../src/routing/predict.js';
import { Follow } from '../deps/follow.js';
import { validateJson } from '../resources/validate.js';
import { ROOT } from '../support/root.js';

type Resource = { '@type': ShortType; name?: string; cluster_name?: string };

interface Case {
  authority: string;
  method: string;
  metadata: [string, string][];
  resources: Resource[];
  /** The status that C-core got. The answer is the port of the backend. */
  got: { code: string; message: string; answer?: string };
}

const recorded: { nodeId: string; deadPorts: number[]; deadlineMs: number; cases: Case[] } = JSON.parse(
  readFileSync(join(ROOT, 'fixtures/routing/outcomes-c-core.json'), 'utf8'),
);
const { nodeId, deadPorts, deadlineMs } = recorded;
const isReachable = ({ port }: IpAddress): boolean => !deadPorts.includes(port);

describe('the predicted status of an RPC equals the one of a live C-core', () => {
  it.each(recorded.cases.map((one, i) => [i, one.got.code, one.got.message, one] as const))(
    'case %i: %s %s',
    (_i, _code, _message, one) => {
      const paths = pathsOf(one);
      const found = paths.find(
        ({ code, message }) => code === one.got.code && withoutAddress(message) === withoutAddress(one.got.message),
      );
      expect(found, JSON.stringify(paths)).toBeDefined();
      if (one.got.answer !== undefined) expect(found?.ports).toContain(Number(one.got.answer));
    },
  );

  it('with a recorded case of every kind of failure', () => {
    const messages = new Set(recorded.cases.map(({ got }) => got.message.split(/[:(;]/)[0]?.trim()));
    expect([...messages].sort()).toEqual(
      expect.arrayContaining([
        '',
        'Deadline Exceeded',
        'EDS-configured drop',
        'Fault injected',
        'No matching route found in xDS route config',
        'circuit breaker drop',
        'connections to all backends failing',
        'empty address list',
        'no children in weighted_target policy',
        'ring hash cannot find a connected endpoint',
      ]),
    );
  });
});

function pathsOf({ authority, method, metadata, resources }: Case) {
  const call = { path: method, metadata };
  const { applied } = following(resources, authority).manager;
  const options = { nodeId, isReachable, deadlineMs };
  const outcomes =
    applied.kind === 'published'
      ? possiblePaths(applied.config, call, options).map(({ outcome }) => outcome)
      : [predict(applied, call, { ...options, random: () => 0 }).outcome];
  return outcomes.map(ended);
}

function ended(outcome: PossiblePath['outcome']): { code: string; message: string; ports: number[] } {
  if (outcome.kind === 'connects') return { code: 'OK', message: '', ports: outcome.addresses.map(({ port }) => port) };
  if (outcome.kind !== 'fails') return { code: outcome.kind, message: outcome.why, ports: [] };
  return { code: statusName(outcome.status.code), message: outcome.status.message, ports: [] };
}

/** Removes the address: the network decides which address is tried last. */
function withoutAddress(message: string): string {
  return message.replace(/ipv4:127\.0\.0\.1:\d+: Failed/, 'ADDRESS: Failed');
}

function withoutType({ '@type': _type, ...resource }: Resource): object {
  return resource;
}

function problemOf(validation: ReturnType<typeof validateJson> | undefined): string {
  return validation === undefined || validation.ok ? 'does not exist' : `invalid resource: ${validation.message}`;
}

/** A client that has received all resources; a resource that is not served does not exist. */
function following(resources: readonly Resource[], authority: string): Follow {
  const run = new Follow(PRESETS['c-core'].policies, authority);
  const answered = new Set<string>();
  for (;;) {
    const open = run.watches.find((watch) => !answered.has(watch));
    if (open === undefined) return run;
    answered.add(open);
    const [type = '', name = ''] = open.split(' ');
    if (!isShortType(type)) throw new Error(`${open} is of no known type`);
    const found = resources.find((one) => one['@type'] === type && (one.name ?? one.cluster_name) === name);
    const validation = found && validateJson(type, withoutType(found));
    if (validation?.ok) run.notify(type, name, { kind: 'OnResourceChanged', resource: validation.resource });
    else run.fail(type, name, `${problemOf(validation)} (node ID:${nodeId})`);
  }
}
