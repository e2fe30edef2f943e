import { visible, visibleAtStart } from '../visible-text.js';

/** A test case: one thing that was checked. */
interface JunitCase {
  name: string;
  /** Empty if it passes. */
  failures: string[];
  remarks: string[];
}

export interface JunitSuite {
  name: string;
  cases: JunitCase[];
}

/** JUnit XML, as CI servers read it. */
export function junit(suites: readonly JunitSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="xds-inspect" tests="${cases.length}" failures="${failed(cases)}">`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name, cases }: JunitSuite): string[] {
  return [
    `  <testsuite name="${xml(name)}" tests="${cases.length}" failures="${failed(cases)}">`,
    ...cases.flatMap((one) => caseLines(name, one)),
    '  </testsuite>',
  ];
}

function caseLines(suite: string, { name, failures, remarks }: JunitCase): string[] {
  const [first] = failures;
  const failure =
    first === undefined ? [] : [`      <failure message="${xml(first)}">${failures.map(xml).join('\n')}</failure>`];
  const output = remarks.length === 0 ? [] : [`      <system-out>${remarks.map(xml).join('\n')}</system-out>`];
  return [`    <testcase classname="${xml(suite)}" name="${xml(name)}">`, ...failure, ...output, '    </testcase>'];
}

function failed(cases: readonly JunitCase[]): number {
  return cases.filter(({ failures }) => failures.length > 0).length;
}

/** For content and attributes. What XML has no way to write is among the characters that `visible` writes by their codes. */
function xml(text: string): string {
  return visibleAtStart(visible(text))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
