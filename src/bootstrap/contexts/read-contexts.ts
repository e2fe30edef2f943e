import { type LocatedProblem, parseSource } from '../../base/document.js';
import { didYouMean } from '../../base/nearest.js';
import { type PathStep, Problems } from '../../base/problem.js';
import { isSecretName } from '../../base/secret-name.js';
import {
  addMismatch,
  flag,
  isMapping,
  listOf,
  mapOf,
  record,
  type Shape,
  type ShapeValue,
  text,
} from '../../base/shape.js';
import {
  authority,
  checkConnecting,
  checkPair,
  connectionOf,
  kube,
  kubeName,
  server,
  xdsHeaders,
} from '../connection-settings.js';
import { foreignTarget, isEmptyTarget } from '../foreign-target.js';
import { kubeText } from '../kube-target.js';
import { readLocality } from '../node-metadata.js';
import { PRESET_NAMES, PRESET_WORDS, type Preset, presetNamed } from '../preset-names.js';
import type { Context, Contexts, CsdsSettings } from './context.js';

export type ContextsResult = { ok: true; contexts: Contexts } | { ok: false; problems: LocatedProblem[] };

const NAME = /^[A-Za-z0-9_][\w.@/-]*$/;
const MAX_NAME = 100;

const SAVE = 'contents are not allowed here, save them in a file and name the file';
const NO_SECRETS = 'secrets are not allowed in this file, only paths of files that contain them';

/** The path of a file. A value that is a content instead is never quoted: it may be a key. */
const path: Shape<string> = (value, problems) => {
  if (typeof value !== 'string') {
    return isMapping(value)
      ? problems.add(`expected the path of a file, got a mapping: ${SAVE}`)
      : addMismatch(problems, 'the path of a file', value);
  }
  if (value === '') return problems.add('empty path');
  if (/[\n\r\0]|-----BEGIN|^\s*\{/.test(value)) return problems.add(`expected the path of a file: ${SAVE}`);
  return value;
};

/** Reads a path of a file that becomes an argument of kubectl. */
const kubeconfig: Shape<string> = (value, problems) => path(value, problems) && kubeName(value, problems);

/** An address without credentials. */
const address: Shape<string> = (value, problems) =>
  typeof value === 'string' && value.includes('@')
    ? problems.add(`expected host:port, without a user or password: ${NO_SECRETS}`)
    : server(value, problems);

/** An address of `csds`. With a prefix, istiod is asked about its proxies. */
const processAddress: Shape<string> = (value, problems) => {
  if (typeof value !== 'string') return address(value, problems);
  const own = value.startsWith(ISTIO) ? value.slice(ISTIO.length) : value;
  const inCluster = kubeText(own);
  const read = inCluster === undefined ? address(own, problems) : kube(inCluster, problems);
  return read === undefined ? undefined : value;
};
const ISTIO = 'istio:';

const target: Shape<string> = (value, problems) => {
  if (typeof value !== 'string' || isEmptyTarget(value)) {
    return addMismatch(problems, 'a target such as xds:///greeter', value);
  }
  const problem = foreignTarget(value);
  return problem === undefined ? value : problems.add(problem);
};

const preset: Shape<Preset> = (value, problems) => {
  const found = typeof value === 'string' ? presetNamed(value) : undefined;
  if (found !== undefined) return found;
  const hint = typeof value === 'string' ? didYouMean(value, PRESET_WORDS) : '';
  return problems.add(`expected ${PRESET_NAMES.join(', ')}${hint}`);
};

const nodeMetadata: Shape<Map<string, unknown>> = (value, problems) => {
  const read = mapOf((one) => one)(value, problems);
  for (const path of secretPaths(value))
    problems.addAt(path, `${NO_SECRETS}: put it in node.metadata of a bootstrap file, and use "bootstrap"`);
  return read;
};

/** The paths of keys that denote secrets. */
function secretPaths(value: unknown): PathStep[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return typeof step === 'string' && isSecretName(step)
      ? [[step]]
      : secretPaths(inner).map((path) => [step, ...path]);
  });
}

const locality: Shape<string> = (value, problems) =>
  typeof value === 'string' && readLocality(value) !== undefined
    ? value
    : addMismatch(problems, 'region, region/zone or region/zone/sub_zone', value);

const noSecrets = (key: string): string | undefined =>
  isSecretName(key) || /[-_]data$/i.test(key) ? NO_SECRETS : undefined;

const csdsShape = record(
  {
    addresses: listOf(processAddress),
    plaintext: flag,
    insecure: flag,
    cacert: path,
    cert: path,
    key: path,
    authority,
    token_file: path,
    kube_context: kubeName,
    kubeconfig,
    xds_headers: xdsHeaders,
  },
  ['addresses'],
  noSecrets,
);

const contextShape = record(
  {
    bootstrap: path,
    server: address,
    kube,
    kube_context: kubeName,
    kubeconfig,
    plaintext: flag,
    insecure: flag,
    cacert: path,
    cert: path,
    key: path,
    authority,
    token_file: path,
    xds_headers: xdsHeaders,
    node_id: text,
    node_cluster: text,
    node_locality: locality,
    node_metadata: nodeMetadata,
    user_agent: text,
    default_authority: text,
    as: preset,
    targets: listOf(target),
    csds: csdsShape,
  },
  [],
  noSecrets,
);

const contextsShape: Shape<Map<string, ShapeValue<typeof contextShape>>> = (value, problems) => {
  // `contexts:` with every context commented out.
  if (value === null) return new Map();
  for (const name of isMapping(value) ? Object.keys(value) : [])
    if (!NAME.test(name) || name.length > MAX_NAME)
      problems.addAt(
        [name],
        `a name consists of up to ${MAX_NAME} letters, digits and . _ - @ /, and begins with none of . - @ /`,
      );
  return mapOf(checkedContext)(value, problems);
};

const fileShape = record(
  {
    version: (value, problems): 1 | undefined =>
      value === 1 ? value : addMismatch(problems, '1, the only supported format version', value),
    contexts: contextsShape,
  },
  ['contexts'],
  (key) =>
    /^(current|default)([-_]?context)?$/i.test(key)
      ? 'no context is used unless it is named: use --context NAME, or set XDS_INSPECT_CONTEXT'
      : undefined,
);

/** Reads the file with the contexts. Reports all problems together, with their positions. */
export function readContexts(source: string): ContextsResult {
  const document = parseSource(source);
  if (document.problems.length > 0) return { ok: false, problems: document.problems };
  // An empty file.
  if (document.value === null) return { ok: true, contexts: new Map() };
  const problems = new Problems();
  const parsed = fileShape(document.value, problems);
  if (problems.any) return { ok: false, problems: document.locate(problems.list) };
  return { ok: true, contexts: new Map([...(parsed?.contexts ?? [])].map(([name, one]) => [name, contextOf(one)])) };
}

function checkedContext(value: unknown, problems: Problems): ShapeValue<typeof contextShape> | undefined {
  const read = contextShape(value, problems);
  if (read === undefined || !isMapping(value)) return undefined;
  checkConnecting(read, problems);
  if (!['bootstrap', 'server', 'kube', 'csds'].some((key) => key in value))
    problems.add('"bootstrap", "server" or "kube" is missing: a context names a control plane');
  problems.at('csds', () => {
    const { plaintext, insecure, cacert, cert, key, token_file } = read.csds ?? {};
    if (plaintext === true && (insecure === true || (cacert ?? cert ?? key ?? token_file) !== undefined))
      problems.at('plaintext', () => problems.add('excludes "insecure", "cacert", "cert", "key" and "token_file"'));
    checkPair(read.csds ?? {}, problems);
  });
  return read;
}

function contextOf(read: ShapeValue<typeof contextShape>): Context {
  const { node_metadata, targets = [], csds } = read;
  return {
    connecting: connectionOf(read),
    nodeId: read.node_id,
    nodeCluster: read.node_cluster,
    nodeLocality: read.node_locality,
    nodeMetadata: [...(node_metadata ?? [])],
    userAgent: read.user_agent,
    defaultAuthority: read.default_authority,
    as: read.as,
    targets,
    csds: csds && csdsOf(csds),
  };
}

function csdsOf({ addresses = [], ...read }: ShapeValue<typeof csdsShape>): CsdsSettings {
  return { ...connectionOf(read), addresses };
}
