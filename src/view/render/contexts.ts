import { countText, firstFew } from '../../base/count-text.js';
import type { ContextsDocument, ContextView } from '../contexts.js';
import type { Page } from '../formats.js';
import { visible, visibleShort } from '../visible-text.js';
import type { Paint } from './paint.js';
import { type Cell, type Column, table } from './table.js';
import { fitLines } from './wrap.js';

const MAX_ITEMS = 5;

/** All contexts, one per row, or how to create the first one. */
export function contextsTable(document: ContextsDocument, { paint, width }: Page): string {
  const { file, contexts } = document;
  if (contexts.length === 0) return `${fitLines(emptyLines(document).join('\n'), width)}\n`;
  const head = `${countText(contexts.length, 'context')} in ${visible(file)}${selectionText(document)}`;
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const columns = COLUMNS.filter(({ isNeeded = () => true }) => contexts.some(isNeeded));
  const rows = contexts.map((context) => columns.map(({ cell }) => cell(context, folder, paint)));
  return `${fitLines(head, width)}\n\n${table(columns, rows, width).join('\n')}\n`;
}

export function contextNames({ contexts }: ContextsDocument): string {
  return contexts.map(({ name }) => `${visible(name)}\n`).join('');
}

function selectionText({ selected, contexts }: ContextsDocument): string {
  if (selected === null) return '';
  const isKnown = contexts.some((context) => context.selected);
  return isKnown
    ? `; * is that of XDS_INSPECT_CONTEXT`
    : `; XDS_INSPECT_CONTEXT names "${visibleShort(selected)}", which is none of them`;
}

function emptyLines({ file, exists }: ContextsDocument): string[] {
  return [
    exists ? `no contexts in ${visible(file)}` : `no contexts: ${visible(file)} does not exist`,
    '',
    exists ? 'An example of its contents:' : 'Create it with a name for each control plane, for example:',
    '',
    '  contexts:',
    '    prod:',
    '      bootstrap: prod.json          # relative to this file',
    '      targets: [xds:///greeter]     # if the command line names none',
    '    local:',
    '      server: localhost:18000',
    '      plaintext: true',
    '',
    'Next: xds-inspect --context prod',
    'All keys: xds-inspect docs contexts',
  ];
}

interface ContextColumn extends Column {
  /** The column is omitted unless a context needs it. */
  isNeeded?: (context: ContextView) => boolean;
  cell: (context: ContextView, folder: string, paint: Paint) => Cell;
}

const COLUMNS: readonly ContextColumn[] = [
  {
    title: '',
    isNeeded: ({ selected }) => selected,
    cell: ({ selected }) => ({ text: selected ? '*' : '' }),
  },
  { title: 'NAME', minWidth: 12, cut: 'middle', cell: ({ name }, _, paint) => ({ text: name, paint: paint.strong }) },
  {
    title: 'CONTROL PLANE',
    minWidth: 30,
    cut: 'middle',
    cell: (context, folder, paint) => ({
      text: visibleShort(controlPlane(context, folder)),
      ...(context.missingFiles.length > 0 && { paint: paint.error }),
    }),
  },
  {
    title: 'CLIENT',
    minWidth: 24,
    dropOrder: 1,
    isNeeded: (context) => clientText(context) !== '',
    cell: (context) => ({ text: visibleShort(clientText(context)) }),
  },
  {
    title: 'CSDS',
    minWidth: 16,
    dropOrder: 2,
    isNeeded: ({ csds }) => csds !== null,
    cell: ({ csds }) => ({ text: visibleShort(firstFew(csds?.addresses ?? [], MAX_ITEMS, String)) }),
  },
  {
    title: 'TARGETS',
    minWidth: 20,
    cell: ({ targets }) => ({ text: visibleShort(firstFew(targets, MAX_ITEMS, String)) }),
  },
];

/** Paths are relative to the folder of the file if they are below it. */
function controlPlane({ bootstrap, server, kube, missingFiles, ...tls }: ContextView, folder: string): string {
  const shown = (path: string): string => (path.startsWith(folder) ? path.slice(folder.length) : path);
  const [missing] = missingFiles;
  const problem =
    missing === undefined ? '' : missing === bootstrap ? ' (no such file)' : ` (no file ${shown(missing)})`;
  if (bootstrap !== null) return `bootstrap ${shown(bootstrap)}${problem}`;
  if (server === null && kube === null) return `-${problem}`;
  const security = tls.plaintext ? 'plaintext' : tls.cert === null ? 'TLS' : 'mTLS';
  const kubeText = `kube ${kube}${tls.kubeContext === null ? '' : ` in ${tls.kubeContext}`}`;
  const name = tls.authority === null ? '' : ` as ${tls.authority}`;
  return `${server ?? kubeText}${name}, ${security}${tls.insecure ? ' unverified' : ''}${problem}`;
}

function clientText({ nodeId, nodeMetadata, userAgent, defaultAuthority, as, ...node }: ContextView): string {
  const { nodeCluster, nodeLocality } = node;
  const metadata = Object.keys(nodeMetadata);
  return [
    ...(nodeId === null ? [] : [`node ${nodeId}`]),
    ...(nodeCluster === null ? [] : [`cluster ${nodeCluster}`]),
    ...(nodeLocality === null ? [] : [`locality ${nodeLocality}`]),
    ...(as === null ? [] : [`as ${as}`]),
    ...(userAgent === null ? [] : [`user agent ${userAgent}`]),
    ...(defaultAuthority === null ? [] : [`authority ${defaultAuthority}`]),
    ...(metadata.length === 0 ? [] : [`metadata ${firstFew(metadata, MAX_ITEMS, String)}`]),
  ].join(', ');
}
