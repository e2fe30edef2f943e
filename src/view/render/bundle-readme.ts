/** What the first file of a support bundle says. */
export interface BundleReadme {
  version: string;
  /** The start of the session, in RFC 3339. */
  start: string;
  /** The first line of the report: the worst target. */
  answer: string;
  targets: number;
  /** The names of the other files, with what is in them. */
  files: readonly (readonly [name: string, contents: string])[];
}

/** `README.txt` of a support bundle: the answer, how to read the bundle, what is in it. */
export function bundleReadme({ version, start, answer, targets, files }: BundleReadme): string {
  const others = targets > 1 ? `\nThis is the worst of ${targets} targets. All of them: report.txt\n` : '';
  const width = Math.max(...files.map(([name]) => name.length));
  return `${answer}
${others}
This is a support bundle of xds-inspect ${version}: one session with an xDS control plane.
It started at ${start}. Show it in any view, without unpacking it:

  xds-inspect replay BUNDLE.tgz
  xds-inspect replay BUNDLE.tgz report
  xds-inspect replay BUNDLE.tgz explain --method /package.Service/Method

${files.map(([name, contents]) => `  ${name.padEnd(width)}  ${contents}`).join('\n')}

Private keys, tokens and passwords are replaced by [redacted]. Names of resources, addresses, and
the node with its other metadata are not: read report.txt before you publish the bundle.
Details: xds-inspect docs security
`;
}
