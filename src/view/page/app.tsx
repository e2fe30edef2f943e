import type { JSX } from 'preact';
import { clockTime } from '../../base/clock-time.js';
import type { Side, Tab } from '../page-data.js';
import { Header, Remarks } from './header.js';
import { Footer, Help } from './keys.js';
import { ChecksPane } from './panes/checks.js';
import { ComparisonPane } from './panes/comparison.js';
import { ContentsPane } from './panes/contents.js';
import { EventsPane } from './panes/events.js';
import { FindingsPane } from './panes/findings.js';
import { GraphPane } from './panes/graph.js';
import { ResourcePane } from './panes/resource.js';
import { RpcPane } from './panes/rpc.js';
import { RpcBar } from './panes/rpc-bar.js';
import { hasFallback, ServersPane } from './servers.js';
import { data, hasHistory, history, now, reportScope, revision, selectedResource, side, tab, time } from './store.js';
import { type TabItem, TabList } from './tabs.js';
import { shortName } from './text.js';
import { isPrinting } from './theme.js';
import { Timeline } from './timeline/timeline.js';
import { Verdicts } from './verdicts.js';
import { changeCount, WhatIfPane } from './what-if.js';

/** The page: one question per band. Does it work? When? Where? Why? */
export function App(): JSX.Element {
  return (
    <>
      <Header />
      <Remarks />
      <Verdicts />
      {hasHistory.value && <Timeline />}
      {isPrinting.value ? <AllPanes /> : <Panes />}
      <Footer />
      <Help />
    </>
  );
}

const MAIN: Record<Exclude<Tab, 'tears'>, { label: string; pane(): JSX.Element }> = {
  graph: {
    label: 'Graph',
    pane: () => (
      <>
        <RpcBar />
        <GraphPane />
      </>
    ),
  },
  contents: { label: 'Contents', pane: () => <ContentsPane /> },
  events: { label: 'Events', pane: () => <EventsPane /> },
  findings: { label: 'Findings', pane: () => <FindingsPane /> },
  servers: { label: 'Servers', pane: () => <ServersPane /> },
  check: { label: 'Checks', pane: () => <ChecksPane /> },
  compare: { label: 'Implementations', pane: () => <ComparisonPane /> },
};

const SIDES: Record<Side, { label: string; pane(): JSX.Element }> = {
  rpc: { label: 'RPC', pane: () => <RpcPane /> },
  resource: { label: 'Resource', pane: () => <ResourcePane /> },
  whatif: { label: 'What if', pane: () => <WhatIfPane /> },
};

type MainTab = keyof typeof MAIN;

function mainTabs(): MainTab[] {
  return [
    ...(['graph', 'contents'] as const),
    ...(hasHistory.value ? (['events', 'findings'] as const) : []),
    ...(hasFallback.value || tab.value === 'servers' ? (['servers'] as const) : []),
    ...(data.value?.check === undefined ? [] : (['check'] as const)),
    ...(data.value?.compare === undefined ? [] : (['compare'] as const)),
  ];
}

function sideTabs(): Side[] {
  return hasHistory.value ? ['rpc', 'resource', 'whatif'] : ['rpc', 'resource'];
}

function mainItem(id: MainTab): TabItem<Tab> {
  revision.value;
  const count: Partial<Record<MainTab, () => string | undefined>> = {
    contents: () => selectedResource.value && shortName(selectedResource.value.name, 20),
    events: () => {
      const [all, until] = [history.value?.events.length ?? 0, history.value?.eventsUntil(now.value) ?? 0];
      return time.value === undefined ? String(all) : `${until} of ${all}`;
    },
    // The pane also lists tears and errors.
    findings: () => {
      const { findings = [], groups = [], errors = [] } = reportScope.value ?? {};
      return String(findings.length + groups.length + errors.length);
    },
  };
  return { id, label: MAIN[id].label, count: count[id]?.() };
}

function sideItem(id: Side): TabItem<Side> {
  const count = id === 'whatif' && changeCount.value > 0 ? `${changeCount.value} on` : undefined;
  return { id, label: SIDES[id].label, count };
}

function Panes(): JSX.Element {
  const wanted: MainTab = tab.value === 'tears' ? 'findings' : tab.value;
  const shown = mainTabs().includes(wanted) ? wanted : 'graph';
  const shownSide = sideTabs().includes(side.value) ? side.value : 'rpc';
  return (
    <div class="columns">
      <main>
        <TabList label="Panes" items={mainTabs().map(mainItem)} selected={tab}>
          {hasHistory.value && <span class="as-of">as of {clockTime(now.value)}</span>}
        </TabList>
        <Panel id={shown}>{MAIN[shown].pane()}</Panel>
      </main>
      <aside>
        <TabList label="Details" items={sideTabs().map(sideItem)} selected={side} />
        <Panel id={shownSide}>{SIDES[shownSide].pane()}</Panel>
      </aside>
    </div>
  );
}

/** For paper: all panes, one after another. */
function AllPanes(): JSX.Element {
  const all = [...mainTabs().map((id) => MAIN[id]), ...sideTabs().map((id) => SIDES[id])];
  return (
    <div class="printed">
      {all.map(({ label, pane }) => (
        <section key={label}>
          <h2>{label}</h2>
          {pane()}
        </section>
      ))}
    </div>
  );
}

function Panel({ id, children }: { id: string; children: JSX.Element }): JSX.Element {
  return (
    <div class="panel" role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`}>
      {children}
    </div>
  );
}
