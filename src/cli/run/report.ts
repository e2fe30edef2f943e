import { failRules } from '../../view/exit-reason.js';
import { reportDocument } from '../../view/report.js';
import type { ReportInput } from '../commands/report.js';
import type { Printer } from '../printer.js';
import { spellingOf } from './again.js';
import { conclusionOf, filterFor } from './listing.js';
import { settling, type ViewOf } from './show.js';

/** `xds-inspect <target>…`: everything on one page. */
export function reportView(input: ReportInput, out: Printer): ViewOf {
  const { output, timeout } = input;
  const filter = filterFor(input);
  const spelling = spellingOf(input, out.env.program);
  return (inspection) => ({
    ...settling(inspection, timeout),
    print: async (seen) => {
      const document = reportDocument(seen, filter, spelling);
      await out.print('report', output, document, { now: seen.now });
      return conclusionOf(document.scopes, seen, failRules(input), output);
    },
  });
}
