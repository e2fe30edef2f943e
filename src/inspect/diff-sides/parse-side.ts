import { parseMillis } from '../../base/duration.js';
import { nearest } from '../../base/nearest.js';
import { foreignTarget, isEmptyTarget } from '../../bootstrap/foreign-target.js';
import { readProcessAddress } from '../../csds/process-address.js';
import { missing, misused, type Paths, type Side, type SideProblem } from './side.js';

type Parsed = Side | SideProblem;

/** Reads a side of a comparison. A prefix decides; without one, an existing path comes before a target or an address. */
export function parseSide(typed: string, paths: Paths): Parsed {
  if (typed === '') return misused('a side is empty: use a target, an address, a file or a folder');
  if (typed === '-') return { kind: 'file', typed, path: typed, at: undefined, isEnvoy: false };
  const [, prefix = '', rest = ''] = /^(xds|csds|istio|envoy):(.*)$/is.exec(typed) ?? [];
  if (prefix !== '') return PREFIXED[prefix.toLowerCase()]?.(rest, typed, paths) as Parsed;
  if (/^https?:\/\//i.test(typed)) return url(typed, typed);
  return existing(typed, paths) ?? withoutPath(typed, paths);
}

type ReadPrefixed = (rest: string, typed: string, paths: Paths) => Parsed;

const PREFIXED: Readonly<Record<string, ReadPrefixed>> = {
  xds: (rest, typed) => {
    // `xds:greeter` and `xds:///greeter` are targets as they are.
    const target = /^(xds:|#server:)/i.test(rest) ? rest : typed;
    if (isEmptyTarget(target)) return misused(`${typed}: no target follows: use xds:///greeter, for example`);
    return { kind: 'target', typed, target };
  },
  csds: (rest, typed) => {
    if (rest === '') return misused(`${typed}: no address follows: use csds:HOST:PORT or csds:unix:/path`);
    return process(rest, typed);
  },
  istio: (rest, typed) =>
    misused(
      `${typed}: Istio's debug interface has no contents to compare: use envoy:FILE with the output of istioctl proxy-config all POD -o json; xds-inspect csds istio:${rest || 'HOST:PORT'} shows which proxies are in sync`,
    ),
  envoy: (rest, typed, paths) => {
    if (/^https?:\/\//i.test(rest)) return url(rest, typed);
    if (paths.kindOf(rest) === 'file') return { kind: 'file', typed, path: rest, at: undefined, isEnvoy: true };
    if (paths.kindOf(rest) === 'folder')
      return misused(`${typed}: it is a folder: use a file with a dump, or HOST:PORT`);
    if (/^[^/\s]+:\d+(\/.*)?$/.test(rest)) return url(`http://${rest}`, typed);
    if (rest === '') return misused(`${typed}: nothing follows: use envoy:FILE or envoy:HOST:PORT (its admin port)`);
    return missing(
      `${rest}: no such file${suggestion(rest, paths, 'envoy:')}; envoy: takes a file, HOST:PORT or a URL`,
    );
  },
};

function process(text: string, typed: string): Parsed {
  const address = readProcessAddress(text);
  return 'problem' in address ? misused(`${typed}: ${address.problem}`) : { kind: 'csds', typed, address };
}

/** `http://HOST:PORT` is the admin interface of Envoy. Without `include_eds`, its dump has no endpoints. */
function url(text: string, typed: string): Parsed {
  if (!/^https?:\/\/[^/?#]/i.test(text)) return misused(`${typed}: the URL has no host`);
  const [, origin] = /^(https?:\/\/[^/?#]+)\/?$/i.exec(text) ?? [];
  return { kind: 'url', typed, url: origin === undefined ? text : `${origin}/config_dump?include_eds` };
}

const AT = /^(.+)@([^@]*)$/s;

/** `FILE@12.5s` is a time in a recording, unless the whole word is a path. */
function existing(typed: string, paths: Paths): Parsed | undefined {
  const whole = paths.kindOf(typed);
  if (whole === 'folder') return { kind: 'folder', typed, path: typed };
  if (whole === 'file') return { kind: 'file', typed, path: typed, at: undefined, isEnvoy: false };
  const [, path = '', at = ''] = AT.exec(typed) ?? [];
  const kind = path === '' ? undefined : paths.kindOf(path);
  if (kind === undefined) return undefined;
  if (kind === 'folder') return misused(`${typed}: ${path} is a folder: @TIME is a time in a recording`);
  return { kind: 'file', typed, path, at, isEnvoy: false };
}

const FILE_NAME = /\.(ya?ml|json|binpb|pb|xdsrec|xdsrec\.gz|gz|tgz|tar|html|txt)$/i;
const ADDRESS = /^(\[[^\]]+\]|[^/:\s]+):\d+$/;
const CSDS_ADDRESS = /^(unix|unix-abstract|ipv4|ipv6|vsock):/i;

/** A shorter target resembles too many paths. */
const MIN_TYPO = 4;

/** Reads a word that is not a path. */
function withoutPath(typed: string, paths: Paths): Parsed {
  if (/^#server:/i.test(typed)) return { kind: 'target', typed, target: typed };
  if (CSDS_ADDRESS.test(typed)) return process(typed, typed);
  const [path, at] = withoutTime(typed);
  const isUri = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  if (!isUri && (FILE_NAME.test(path) || at !== '' || /^[./~]/.test(path))) {
    return missing(`${path}: no such file or folder${suggestion(path, paths, '', at)}`);
  }
  if (ADDRESS.test(typed)) {
    return misused(
      `${typed} is ambiguous: use csds:${typed} for the process that serves CSDS there, or xds:///${typed} for a target`,
    );
  }
  const foreign = foreignTarget(typed);
  if (/^dns:/i.test(typed) && foreign !== undefined) {
    return misused(
      `${typed} is ambiguous: use csds:${typed} for the process that serves CSDS there, or ${targetOf(typed)} for a target`,
    );
  }
  if (foreign !== undefined) return misused(`${typed}: ${foreign}`);
  if (path.includes('/')) {
    return missing(`${path}: no such file or folder${suggestion(path, paths)}; for a target: xds:///${path}`);
  }
  const near = typed.length < MIN_TYPO ? undefined : nearPath(typed, paths);
  if (near !== undefined) {
    return misused(
      `${typed} is ambiguous: use ${near} for the path of a similar name, or xds:///${typed} for a target`,
    );
  }
  return { kind: 'target', typed, target: typed };
}

function targetOf(dns: string): string {
  return `xds:///${dns.replace(/^dns:(\/\/[^/]*\/)?/i, '')}`;
}

/** The path without `@12.5s`; a target may contain other text after an `@`. */
function withoutTime(typed: string): [path: string, at: string] {
  const [, path = '', at = ''] = AT.exec(typed) ?? [];
  const isTime = path !== '' && (parseMillis(at) !== undefined || /^\d{4}-\d\d-\d\dT/.test(at) || FILE_NAME.test(path));
  return isTime ? [path, `@${at}`] : [typed, ''];
}

function suggestion(path: string, paths: Paths, prefix = '', at = ''): string {
  const near = nearPath(path, paths);
  return near === undefined ? '' : ` (did you mean ${prefix}${near}${at}?)`;
}

function nearPath(path: string, paths: Paths): string | undefined {
  const [, folder = '', name = ''] = /^(.*\/)?([^/]*)\/?$/s.exec(path) ?? [];
  const near = name === '' ? undefined : nearest(name, paths.namesIn(folder === '' ? './' : folder));
  return near === undefined ? undefined : `${folder}${near}`;
}
