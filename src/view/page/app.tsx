import type { JSX } from 'preact';
import type { Side, Tab } from '../page-data.js';
import { ChecksPane } from './panes/checks.js';
import { ContentsPane } from './panes/contents.js';
import { EventsPane } from './panes/events.js';
import { FindingsPane } from './panes/findings.js';
import { GraphPane } from './panes/graph.js';
import { ResourcePane } from './panes/resource.js';
import { RpcPane } from './panes/rpc.js';
import { RpcBar } from './panes/rpc-bar.js';
import { data, side, tab } from './store.js';
import { TabList } from './tabs.js';

/** The page: one question per band. Does it work? When? Where? Why? */
export function App(): JSX.Element {
  return (
    <>
      <header class="top" />
      <section class="verdicts" aria-label="Verdicts" />
      <section class="timeline" aria-label="Timeline" />
      <div class="columns">
        <Main />
        <SidePane />
      </div>
      <footer class="bottom" />
    </>
  );
}

function Main(): JSX.Element {
  const tabs: { id: Tab; label: string }[] = [
    { id: 'graph', label: 'Graph' },
    { id: 'contents', label: 'Contents' },
    { id: 'events', label: 'Events' },
    { id: 'findings', label: 'Findings' },
    ...(data.value?.check === undefined ? [] : [{ id: 'check' as const, label: 'Checks' }]),
  ];
  return (
    <main>
      <TabList label="Panes" items={tabs} selected={tab} />
      {tab.value === 'graph' && <RpcBar />}
      <Panel id={tab.value}>{MAIN_PANES[tab.value]()}</Panel>
    </main>
  );
}

const MAIN_PANES: Record<Tab, () => JSX.Element> = {
  graph: () => <GraphPane />,
  contents: () => <ContentsPane />,
  events: () => <EventsPane />,
  findings: () => <FindingsPane />,
  tears: () => <FindingsPane />,
  check: () => <ChecksPane />,
};

const SIDE_PANES: Record<Side, () => JSX.Element> = {
  rpc: () => <RpcPane />,
  resource: () => <ResourcePane />,
  whatif: () => <p class="empty">What if</p>,
};

function SidePane(): JSX.Element {
  const sides: { id: Side; label: string }[] = [
    { id: 'rpc', label: 'RPC' },
    { id: 'resource', label: 'Resource' },
    { id: 'whatif', label: 'What if' },
  ];
  return (
    <aside>
      <TabList label="Details" items={sides} selected={side} />
      <Panel id={side.value}>{SIDE_PANES[side.value]()}</Panel>
    </aside>
  );
}

function Panel({ id, children }: { id: string; children: JSX.Element }): JSX.Element {
  return (
    <div class="panel" role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`}>
      {children}
    </div>
  );
}
