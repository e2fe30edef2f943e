/** A test case: one thing that was judged. */
interface JunitCase {
  name: string;
  /** Empty for a good one. */
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
    `  <testsuite name="${attribute(name)}" tests="${cases.length}" failures="${failed(cases)}">`,
    ...cases.flatMap((one) => caseLines(name, one)),
    '  </testsuite>',
  ];
}

function caseLines(suite: string, { name, failures, remarks }: JunitCase): string[] {
  const [first] = failures;
  const failure =
    first === undefined
      ? []
      : [`      <failure message="${attribute(first)}">${content(failures.join('\n'))}</failure>`];
  const output = remarks.length === 0 ? [] : [`      <system-out>${content(remarks.join('\n'))}</system-out>`];
  return [
    `    <testcase classname="${attribute(suite)}" name="${attribute(name)}">`,
    ...failure,
    ...output,
    '    </testcase>',
  ];
}

function failed(cases: readonly JunitCase[]): number {
  return cases.filter(({ failures }) => failures.length > 0).length;
}

function content(text: string): string {
  return legal(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}

/** XML has no way to write most control characters, nor half of a surrogate pair. */
function legal(text: string): string {
  return [...text].map((character) => (isLegal(character.codePointAt(0) as number) ? character : '\ufffd')).join('');
}

function isLegal(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
