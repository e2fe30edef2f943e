import { presetNamed } from '../../bootstrap/preset-names.js';
import type { PageState, PageWhatIf, Side, Tab } from '../page-data.js';

/** The selection as the address of a page shows it. Times are milliseconds since the start of the session. */
export interface FragmentState extends PageState {
  /** The position of the client, if the page has several. */
  client?: number;
}

const TABS: readonly Tab[] = ['graph', 'contents', 'events', 'findings', 'tears', 'servers', 'check', 'compare'];
const SIDES: readonly Side[] = ['rpc', 'resource', 'whatif'];

/** `#target=xds:///a&t=6.5&w=6-7.1&tab=events`. Ignores parts that it does not understand. */
export function readFragment(fragment: string): FragmentState {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const text = (name: string): string | undefined => params.get(name) || undefined;
  const client = Number(text('client'));
  const target = text('target');
  const at = seconds(text('t'));
  const window = windowOf(text('w'));
  const tab = TABS.find((one) => one === text('tab'));
  const side = SIDES.find((one) => one === text('side'));
  const resource = resourceOf(text('resource'));
  const method = text('method');
  const headers = params.getAll('header').flatMap((header) => headerOf(header) ?? []);
  const deadlineMs = seconds(text('deadline'));
  const whatIf = whatIfOf(params);
  const theme = (['light', 'dark'] as const).find((one) => one === text('theme'));
  return {
    ...(client > 0 && { client }),
    ...(target !== undefined && { target }),
    ...(at !== undefined && { at }),
    ...(window !== undefined && { window }),
    ...(tab !== undefined && { tab }),
    ...(side !== undefined && { side }),
    ...(resource !== undefined && { resource }),
    ...(method !== undefined && { method }),
    ...(headers.length > 0 && { headers }),
    ...(deadlineMs !== undefined && { deadlineMs }),
    ...(whatIf !== undefined && { whatIf }),
    ...(theme !== undefined && { theme }),
  };
}

export function writeFragment(state: FragmentState): string {
  const params = new URLSearchParams();
  const set = (name: string, value: string | undefined): void => {
    if (value !== undefined && value.length <= MAX_VALUE) params.append(name, value);
  };
  const { client, target, at, window, tab, side, resource, method, headers, deadlineMs, whatIf, theme } = state;
  set('client', client === undefined || client === 0 ? undefined : String(client));
  set('target', target);
  set('t', at === undefined ? undefined : inSeconds(at));
  set('w', window === undefined ? undefined : window.map(inSeconds).join('-'));
  set('tab', tab === 'graph' ? undefined : tab);
  set('side', side === 'rpc' ? undefined : side);
  set('resource', resource && `${resource.type} ${resource.name}`);
  set('method', method);
  for (const [name, value] of headers ?? []) set('header', `${name}: ${value}`);
  set('deadline', deadlineMs === undefined ? undefined : inSeconds(deadlineMs));
  set('as', whatIf?.as);
  for (const [feature, isOn] of Object.entries(whatIf?.features ?? {})) set('feature', `${isOn ? '' : '!'}${feature}`);
  set('timer', whatIf?.resourceTimerMs === undefined ? undefined : inSeconds(whatIf.resourceTimerMs));
  set('grace', whatIf?.tearGraceMs === undefined ? undefined : inSeconds(whatIf.tearGraceMs));
  set('theme', theme);
  // These characters need no escape in a fragment, and links are easier to read without.
  return params.toString().replace(/%(?:3A|2F|2C|40)/g, decodeURIComponent);
}

/** A longer name does not belong into a link. */
const MAX_VALUE = 2000;

function seconds(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.round(value * 1000) : undefined;
}

function inSeconds(ms: number): string {
  return String(Math.round(ms) / 1000);
}

function windowOf(text: string | undefined): [number, number] | undefined {
  const [from, to] = (text ?? '').split('-').map((part) => seconds(part === '' ? undefined : part));
  return from !== undefined && to !== undefined && to > from ? [from, to] : undefined;
}

function resourceOf(text: string | undefined): PageState['resource'] {
  const [type, ...name] = (text ?? '').split(' ');
  return type === undefined || name.length === 0 ? undefined : { type, name: name.join(' ') };
}

function headerOf(text: string): [string, string][] | undefined {
  const colon = text.indexOf(':', 1);
  return colon < 0 ? undefined : [[text.slice(0, colon).trim(), text.slice(colon + 1).trim()]];
}

function whatIfOf(params: URLSearchParams): PageWhatIf | undefined {
  const as = presetNamed(params.get('as') ?? '');
  const features = params.getAll('feature').map((one) => [one.replace(/^!/, ''), !one.startsWith('!')] as const);
  const resourceTimerMs = seconds(params.get('timer') ?? undefined);
  const tearGraceMs = seconds(params.get('grace') ?? undefined);
  const whatIf: PageWhatIf = {
    ...(as !== undefined && { as }),
    ...(features.length > 0 && { features: Object.fromEntries(features) }),
    ...(resourceTimerMs !== undefined && { resourceTimerMs }),
    ...(tearGraceMs !== undefined && { tearGraceMs }),
  };
  return Object.keys(whatIf).length === 0 ? undefined : whatIf;
}
