import type { Command } from '../../peers/peers.js';
import type { ShortType } from '../core-session.js';
import { type Corpus, readCorpus } from '../mutation/corpus.js';
import { Dice } from '../mutation/dice.js';
import { type NewResponse, newResponses } from '../mutation/new-responses.js';
import { type RecordedCase, responseOf, validateRecorded } from '../recorded-case.js';
import { CoreValidator, type ValidationOutcome, type ValidatorEnvironment } from './core-validator.js';

/** A response that C-core and this project validate differently. */
export interface Disagreement extends NewResponse, ValidatorEnvironment {
  core: ValidationOutcome;
  here: ValidationOutcome;
}

export interface Differential {
  agreed: number;
  validated: number;
  /** The number of responses that C-core rejected. */
  rejected: number;
  /** The number of responses whose NACK varies between C-core processes, where one of them agrees with this project. */
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

/** Bootstraps and environment variables that change the validation. */
const ENVIRONMENTS: readonly ValidatorEnvironment[] = [
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

/** Generates responses and validates them with C-core and with this project, in each environment. */
export async function differential(command: Command, seed: number, count: number): Promise<Differential> {
  const corpus = readCorpus();
  const share = Math.ceil(count / ENVIRONMENTS.length);
  const parts = await Promise.all(
    ENVIRONMENTS.map((environment, index) =>
      validateAll(command, environment, { corpus, dice: new Dice(seed * ENVIRONMENTS.length + index), count: share }),
    ),
  );
  return {
    agreed: sum(parts, ({ agreed }) => agreed),
    validated: sum(parts, ({ validated }) => validated),
    rejected: sum(parts, ({ rejected }) => rejected),
    undecided: sum(parts, ({ undecided }) => undecided),
    disagreements: parts.flatMap(({ disagreements }) => disagreements),
  };
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}

async function validateAll(
  command: Command,
  environment: ValidatorEnvironment,
  { corpus, dice, count }: { corpus: Corpus; dice: Dice; count: number },
): Promise<Differential> {
  const validator = new CoreValidator(command, environment);
  const result: Differential = { agreed: 0, validated: 0, rejected: 0, undecided: 0, disagreements: [] };
  try {
    for (const made of newResponses(corpus, dice)) {
      if (result.validated === count) break;
      await compareOne(validator, { ...made, ...environment }, result, command);
    }
  } finally {
    await validator.stop();
  }
  return result;
}

async function compareOne(
  validator: CoreValidator,
  made: NewResponse & ValidatorEnvironment,
  result: Differential,
  command: Command,
): Promise<void> {
  const recorded = { ...made, id: '', expect: { verdict: '' } };
  const core = await outcomeOf(validator, recorded);
  const here = ownOutcome(recorded);
  result.validated++;
  if (core.verdict === 'NACK') result.rejected++;
  if (isSame(core, here)) result.agreed++;
  else if (await isReproducedByAnother(command, recorded, here)) result.undecided++;
  else result.disagreements.push({ ...made, core, here });
}

function isSame(a: ValidationOutcome, b: ValidationOutcome): boolean {
  return a.verdict === b.verdict && a.message === b.message;
}

function outcomeOf(validator: CoreValidator, recorded: RecordedCase): Promise<ValidationOutcome> {
  const { resources, resourceErrors } = responseOf(recorded);
  return validator.validate(SHORT[recorded.type] as ShortType, [...resources], [...resourceErrors]);
}

/**
 * Of several errors in a map (a Struct, typed_per_filter_config) C-core reports the first, and each process iterates over a
 * map in a different order. So this tries other processes.
 */
async function isReproducedByAnother(
  command: Command,
  recorded: RecordedCase,
  here: ValidationOutcome,
): Promise<boolean> {
  for (let tries = 0; tries < OTHER_PROCESSES; tries++) {
    const validator = new CoreValidator(command, recorded);
    try {
      if (isSame(await outcomeOf(validator, recorded), here)) return true;
    } finally {
      await validator.stop();
    }
  }
  return false;
}

function ownOutcome(recorded: RecordedCase): ValidationOutcome {
  const { verdict, nack } = validateRecorded(recorded);
  if (nack !== undefined) return { verdict: 'NACK', message: nack };
  return { verdict: verdict === 'ACK' ? 'ACK' : 'NONE' };
}
