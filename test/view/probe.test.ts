import { it } from 'vitest';
import { causeScenarios } from '../inspect/cause-scenarios.js';
import { everyView } from './every-view.js';

it('x', async () => {
  const out: string[] = [];
  for (const s of causeScenarios()) {
    const { views } = await everyView(s);
    out.push(`## ${s.name} ${s.expected.verdict} ${s.expected.message}`);
    for (const v of views)
      out.push(
        `${v.view} ${v.code} ${[...new Set(v.verdicts.map((x) => `${x.verdict}${x.message === s.expected.message ? '=' : `!${x.message}`}`))].join(' | ')}  ::: ${v.text.split('\n')[0]}`,
      );
  }
  require('node:fs').writeFileSync('/tmp/agree.txt', out.join('\n'));
});
