import type { JSX } from 'preact';
import { countText } from '../../../base/count-text.js';
import { formatMillis } from '../../../base/duration.js';
import { Icon } from '../icons.js';
import { data } from '../store.js';
import { shortLine, shortName } from '../text.js';

/** The fields of the check document that the pane shows. */
interface CheckDocument {
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  remark: string;
  targets: { target: string }[];
  expectations: CheckedExpectation[];
}

interface CheckedExpectation {
  name: string;
  target: string;
  ok: boolean;
  expected: string;
  actual: string;
  hint: string | null;
  line: number;
  skipped: boolean;
  dependsOn: string | null;
  afterMs: number;
}

/** The report of `check`: failed expectations first. */
export function ChecksPane(): JSX.Element {
  const report = data.value?.check as CheckDocument | undefined;
  if (report === undefined) return <p class="empty">This page contains no check.</p>;
  const { passed, failed, skipped, file, remark, targets, expectations } = report;
  const all = passed + failed + skipped;
  const head =
    failed === 0
      ? `${passed} of ${countText(all, 'expectation')} hold`
      : `${failed} of ${countText(all, 'expectation')} failed`;
  return (
    <div class="checks">
      <p>
        <Icon kind={failed === 0 ? 'ok' : 'error'} /> <strong>{head}</strong>
        {skipped > 0 && `, ${skipped} skipped`} · <span class="mono">{shortName(file, 100)}</span>
      </p>
      {remark !== '' && <p class="note">{shortLine(remark, 500)}</p>}
      {[...new Set(targets.map(({ target }) => target))].map((target) => (
        <section key={target} aria-label={shortName(target, 80)}>
          <h3>{shortName(target, 100)}</h3>
          <ul>
            {sorted(expectations.filter((one) => one.target === target)).map((one, i) => (
              <Expectation key={`${i} ${one.name}`} one={one} file={file} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function sorted(list: readonly CheckedExpectation[]): CheckedExpectation[] {
  const rank = ({ ok, skipped }: CheckedExpectation): number => (ok ? 2 : skipped ? 1 : 0);
  return [...list].sort((a, b) => rank(a) - rank(b));
}

function Expectation({ one, file }: { one: CheckedExpectation; file: string }): JSX.Element {
  const { name, ok, expected, actual, hint, line, skipped, dependsOn, afterMs } = one;
  const [icon, label] = ok
    ? (['ok', 'holds'] as const)
    : skipped
      ? (['none', 'skipped'] as const)
      : (['error', 'failed'] as const);
  return (
    <li class="finding">
      <Icon kind={icon} label={label} />
      <div>
        <p>
          {shortLine(name, 300)}{' '}
          <span class="check-values">
            {ok ? shortLine(actual, 200) : ''}
            {ok && afterMs > 0 ? ` after ${formatMillis(afterMs)}` : ''}
          </span>
        </p>
        {!ok && (
          <p class="check-values">
            {skipped && dependsOn !== null
              ? `skipped: depends on ${shortLine(dependsOn, 200)}`
              : `expected ${shortLine(expected, 300)}, got ${shortLine(actual, 600)}`}
          </p>
        )}
        {!ok && hint !== null && <p class="finding-advice">→ {shortLine(hint, 400)}</p>}
        {!ok && (
          <p class="check-values mono">
            {shortName(file, 80)}:{line}
          </p>
        )}
      </div>
    </li>
  );
}
