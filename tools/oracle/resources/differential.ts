import type { Command } from '../../peers/peers.js';
import type { ShortType } from '../core-session.js';
import { type Corpus, readCorpus } from '../mutation/corpus.js';
import { Dice } from '../mutation/dice.js';
import { type NewResponse, newResponses } from '../mutation/new-responses.js';
import { judgeRecorded, type RecordedCase, responseOf } from '../recorded-case.js';
import { CoreValidator, type ValidatorEnvironment, type Verdict } from './core-validator.js';

/** A response that C-core and this project judge differently. */
export interface Disagreement extends NewResponse, ValidatorEnvironment {
  core: Verdict;
  here: Verdict;
}

export interface Differential {
  agreed: number;
  judged: number;
  /** Of those judged, what C-core refused. */
  refused: number;
  /** Where C-core says now this and now that, as it is said here among them. */
  undecided: number;
  disagreements: Disagreement[];
}

const SHORT: Record<string, ShortType> = {
  Listener: 'LDS',
  RouteConfiguration: 'RDS',
  Cluster: 'CDS',
  ClusterLoadAssignment: 'EDS',
};

const OTHER_PROCESSES = 12;

const EXPERIMENT = 'GRPC_EXPERIMENTAL_XDS_';
const all = (value: string, ...names: string[]) => Object.fromEntries(names.map((name) => [EXPERIMENT + name, value]));
const ON = {
  ...all('true', 'HTTP_CONNECT', 'COMPOSITE_FILTER', 'EXT_PROC_ON_CLIENT', 'RBAC_AUDIT_LOGGING'),
  GRPC_XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT: 'false',
};
const CERTIFICATES = {
  provider1: { plugin_name: 'file_watcher', config: { certificate_file: '/none/cert', private_key_file: '/none/key' } },
};
const SERVICES = { 'dns:///127.0.0.1:1': { channel_creds: [{ type: 'insecure' }] } };

/** Bootstraps and switches that change what is valid. */
const SURROUNDINGS: readonly ValidatorEnvironment[] = [
  {},
  { bootstrap: { certificate_providers: CERTIFICATES, allowed_grpc_services: SERVICES } },
  {
    env: ON,
    bootstrap: {
      certificate_providers: CERTIFICATES,
      allowed_grpc_services: SERVICES,
      server_features: ['trusted_xds_server'],
    },
  },
  {
    env: all('false', 'FEDERATION', 'RLS_LB', 'SNI', 'DUALSTACK_ENDPOINTS'),
    bootstrap: { certificate_providers: CERTIFICATES },
  },
  {
    env: { ...ON, ...all('false', 'DATA_ERROR_HANDLING') },
    bootstrap: { certificate_providers: CERTIFICATES, server_features: ['fail_on_data_errors', 'xds_v3'] },
  },
];

/** Makes new responses and lets both judge them, under one bootstrap after the other. */
export async function differential(command: Command, seed: number, count: number): Promise<Differential> {
  const corpus = readCorpus();
  const share = Math.ceil(count / SURROUNDINGS.length);
  const parts = await Promise.all(
    SURROUNDINGS.map((surroundings, index) =>
      judgeAll(command, surroundings, { corpus, dice: new Dice(seed * SURROUNDINGS.length + index), count: share }),
    ),
  );
  return {
    agreed: sum(parts, ({ agreed }) => agreed),
    judged: sum(parts, ({ judged }) => judged),
    refused: sum(parts, ({ refused }) => refused),
    undecided: sum(parts, ({ undecided }) => undecided),
    disagreements: parts.flatMap(({ disagreements }) => disagreements),
  };
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}

async function judgeAll(
  command: Command,
  surroundings: ValidatorEnvironment,
  { corpus, dice, count }: { corpus: Corpus; dice: Dice; count: number },
): Promise<Differential> {
  const judge = new CoreValidator(command, surroundings);
  const result: Differential = { agreed: 0, judged: 0, refused: 0, undecided: 0, disagreements: [] };
  try {
    for (const made of newResponses(corpus, dice)) {
      if (result.judged === count) break;
      await judgeBoth(judge, { ...made, ...surroundings }, result, command);
    }
  } finally {
    await judge.stop();
  }
  return result;
}

async function judgeBoth(
  judge: CoreValidator,
  made: NewResponse & ValidatorEnvironment,
  result: Differential,
  command: Command,
): Promise<void> {
  const recorded = { ...made, id: '', expect: { verdict: '' } };
  const core = await verdictOf(judge, recorded);
  const here = verdictHere(recorded);
  result.judged++;
  if (core.verdict === 'NACK') result.refused++;
  if (isSame(core, here)) result.agreed++;
  else if (await isSaidByAnother(command, recorded, here)) result.undecided++;
  else result.disagreements.push({ ...made, core, here });
}

function isSame(a: Verdict, b: Verdict): boolean {
  return a.verdict === b.verdict && a.message === b.message;
}

function verdictOf(judge: CoreValidator, recorded: RecordedCase): Promise<Verdict> {
  const { resources, resourceErrors } = responseOf(recorded);
  return judge.judge(SHORT[recorded.type] as ShortType, resources, resourceErrors);
}

/**
 * Of several faults in a map (a Struct, typed_per_filter_config) C-core tells what it meets first, and in which order it
 * goes through a map is another matter in each process: other processes are asked.
 */
async function isSaidByAnother(command: Command, recorded: RecordedCase, here: Verdict): Promise<boolean> {
  for (let tries = 0; tries < OTHER_PROCESSES; tries++) {
    const judge = new CoreValidator(command, recorded);
    try {
      if (isSame(await verdictOf(judge, recorded), here)) return true;
    } finally {
      await judge.stop();
    }
  }
  return false;
}

function verdictHere(recorded: RecordedCase): Verdict {
  const { verdict, nack } = judgeRecorded(recorded);
  if (nack !== undefined) return { verdict: 'NACK', message: nack };
  return { verdict: verdict === 'ACK' ? 'ACK' : 'NONE' };
}
