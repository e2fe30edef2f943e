import type { JSX } from 'preact';
import { data } from '../store.js';
import { shortLine, shortName } from '../text.js';

/** The fields of the compare document that the pane shows. */
interface CompareDocument {
  differs: boolean;
  implementations: { name: string; version: string | null; reference: boolean }[];
  targets: ComparedTarget[];
  resources: ComparedResource[];
}

interface ComparedTarget {
  target: string;
  summary: string;
  reasons: string[];
  results: Record<string, { verdict: string }>;
}

interface ComparedResource {
  target: string;
  type: string;
  name: string;
  differs: boolean;
  reasons: string[];
  results: Record<string, { verdict: string; ignored: unknown[] }>;
}

/** The comparison of `compare`: what differs and why, then all implementations side by side. */
export function ComparisonPane(): JSX.Element {
  const comparison = data.value?.compare as CompareDocument | undefined;
  if (comparison === undefined) return <p class="empty">This page contains no comparison.</p>;
  const { implementations, targets, resources } = comparison;
  const columns = [
    ...implementations.filter(({ reference }) => !reference),
    ...implementations.filter(({ reference }) => reference),
  ];
  return (
    <div class="checks">
      {targets.map(({ target, summary, reasons }) => (
        <section key={target} aria-label={shortName(target, 80)}>
          <h3>{shortName(target, 100)}</h3>
          <p>
            <strong>{shortLine(summary, 500)}</strong>
          </p>
          <Lines
            lines={[
              ...reasons,
              ...resources
                .filter((one) => one.target === target && one.differs)
                .flatMap(({ type, name, reasons: all }) => all.map((reason) => `${type} ${name}: ${reason}`)),
            ]}
          />
        </section>
      ))}
      <table class="compared">
        <thead>
          <tr>
            <th scope="col">Target or resource</th>
            {columns.map(({ name, version }) => (
              <th scope="col" key={name} title={version ?? 'the gRFCs as interpreted by this tool'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {targets.map(({ target, results }) => (
            <Row key={target} name={target} cells={columns.map(({ name }) => wordOf(results[name]))} />
          ))}
          {resources.map(({ target, type, name, results }) => (
            <Row
              key={`${target} ${type} ${name}`}
              name={`${type} ${name}`}
              cells={columns.map((column) => wordOf(results[column.name]))}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Lines({ lines }: { lines: readonly string[] }): JSX.Element {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line} class="check-values">
          {shortLine(line, 600)}
        </li>
      ))}
    </ul>
  );
}

function Row({ name, cells }: { name: string; cells: readonly string[] }): JSX.Element {
  return (
    <tr>
      <th scope="row" class="mono">
        {shortName(name, 60)}
      </th>
      {cells.map((cell, i) => (
        <td key={i} class={`compared-${cell.replace(/ .*/, '')}`}>
          {cell}
        </td>
      ))}
    </tr>
  );
}

/** `fails`, `accepted`, `ignores 2`, `not measured`; nothing for a resource that the implementation does not request. */
function wordOf(cell: { verdict: string; ignored?: unknown[] } | undefined): string {
  if (cell === undefined || cell.verdict === 'not-requested') return '–';
  const { verdict, ignored = [] } = cell;
  return verdict === 'accepted' && ignored.length > 0 ? `ignores ${ignored.length}` : verdict.replace('-', ' ');
}
