import { visible, visibleAtStart } from '../visible-text.js';

/** A test case. */
interface JunitCase {
  name: string;
  /** Empty if it passes. */
  failures: string[];
  remarks: string[];
  /** The reason why it was skipped. */
  skipped?: string | undefined;
  /** The duration, if known. */
  ms?: number;
}

export interface JunitSuite {
  name: string;
  ms?: number;
  cases: JunitCase[];
}

/** JUnit XML, for CI servers. */
export function junit(suites: readonly JunitSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="xds-inspect"${counts(cases)}${time(longest(suites))}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

/** The total time: suites of several targets run at the same time. */
function longest(suites: readonly JunitSuite[]): number | undefined {
  const times = suites.flatMap(({ ms }) => ms ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

function suiteLines({ name, cases, ms }: JunitSuite): string[] {
  return [
    `  <testsuite name="${xml(name)}"${counts(cases)}${time(ms)}>`,
    ...cases.flatMap((one) => caseLines(name, one)),
    '  </testsuite>',
  ];
}

function caseLines(suite: string, { name, failures, remarks, skipped, ms }: JunitCase): string[] {
  const [first] = failures;
  const failure =
    first === undefined ? [] : [`      <failure message="${xml(first)}">${failures.map(xml).join('\n')}</failure>`];
  const output = remarks.length === 0 ? [] : [`      <system-out>${remarks.map(xml).join('\n')}</system-out>`];
  const skip = skipped === undefined ? [] : [`      <skipped message="${xml(skipped)}"/>`];
  const begin = `    <testcase classname="${xml(suite)}" name="${xml(name)}"${time(ms)}>`;
  return [begin, ...failure, ...skip, ...output, '    </testcase>'];
}

function counts(cases: readonly JunitCase[]): string {
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const text = ` tests="${cases.length}" failures="${failed(cases)}"`;
  return skipped === 0 ? text : `${text} skipped="${skipped}"`;
}

/** In seconds. */
function time(ms: number | undefined): string {
  return ms === undefined ? '' : ` time="${(ms / 1000).toFixed(3)}"`;
}

function failed(cases: readonly JunitCase[]): number {
  return cases.filter(({ failures }) => failures.length > 0).length;
}

/** Escapes text for content and attributes. `visible` replaces the characters that XML does not allow. */
function xml(text: string): string {
  return visibleAtStart(visible(text))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
